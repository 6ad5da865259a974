#include <inttypes.h>

#include "reporters/diff/change_frame.h"
#include "reporters/diff/change_section.h"
#include "reporters/diff/summary.h"
#include "reporters/html/html_text.h"
#include "reporters/html/page_name.h"

enum {
    END_ROOM = 400 /* bytes for what follows the last section */
};

/* --- names ------------------------------------------------------------------------------------ */

bool change_pages_name(struct changes *c, struct err *err)
{
    struct page_named *pages = ARENA_NEW(c->arena, struct page_named, c->file_count, err);
    for (uint32_t i = 0; pages != NULL && i < c->file_count; i++) {
        struct change_file *file = &c->files[i];
        file->pages = ARENA_NEW(c->arena, struct str, 1, err);
        if (file->pages == NULL)
            return false;
        pages[i] = (struct page_named){file->path, file->package, file->pages};
    }
    return pages != NULL && page_names(pages, c->file_count, "changes", c->arena, err);
}

/* "changes/0f6a3c2b91d4-Order.cs-2.html" of the second part. */
static bool name_page_part(struct str *out, const struct change_file *file, uint32_t part,
                           struct arena *arena, struct err *err)
{
    struct str first = file->pages[0];
    return text_format(out, arena, err, "%.*s-%u.html", (int)(first.len - sizeof ".html" + 1),
                       first.text, part);
}

/* --- the head --------------------------------------------------------------------------------- */

/* The page that the report beside these has of it: it shows the same files of HEAD. */
static bool put_whole_file(struct page *page, const struct changes *c,
                           const struct change_file *file, struct err *err)
{
    struct str name;
    if (!page_name(&name, "files", file->path, file->package, 0, c->scratch, err))
        return false;
    page_open_link(page, name, "", 0);
    page_put(page, "Whole file</a> ");
    return true;
}

static bool put_file_links(struct page *page, const struct changes *c,
                           const struct change_file *file, struct err *err)
{
    bool has_whole = c->is_beside && file->file != NULL;
    if (c->file_count < 2 && !has_whole)
        return true;
    page_put(page, "<nav class=files aria-label=\"Files beside this one\">");
    if (has_whole && !put_whole_file(page, c, file, err))
        return false;
    if (file != c->files)
        page_put_neighbour(page, file[-1].pages[0], file[-1].path, "prev", "Previous file");
    if (file + 1 != c->files + c->file_count)
        page_put_neighbour(page, file[1].pages[0], file[1].path, "next", "Next file");
    page_put(page, "</nav>\n");
    return true;
}

static void put_file_counts(struct page *page, const struct changes *c,
                            const struct change_file *file)
{
    char counts[SUMMARY_COUNTS_ROOM];
    summary_states(counts, file->lines);
    page_put(page, "<p class=of>%.*s", STR_ARGS(file->package));
    if (c->diff->base_name.len != 0) {
        if (file->file == NULL)
            page_put(page, ". The file is gone");
        else
            page_put(page, ". Lines: %s", counts[0] != '\0' ? counts : "as before");
        summary_states(counts, file->outcomes);
        if (counts[0] != '\0')
            page_put(page, ". Branches: %s", counts);
    }
    if (file->patch_owed != 0) {
        page_put(page, ". Patch: %" PRIu64 " of ", file->patch_covered);
        html_count(&page->text, file->patch_owed, "line");
        page_put(page, " covered");
    }
    page_put(page, ".</p>\n");
}

static bool has_text(const struct source_place *place)
{
    return sources_line(place, 1).text != NULL;
}

/* Is the old text of some section missing? */
static bool misses_was(const struct changes *c, const struct change_file *file)
{
    for (uint32_t i = 0; i < file->section_count; i++) {
        const struct diff_section *section = &file->sections[i];
        if (section->was == NULL || section->method.kind == DIFF_UNCHANGED)
            continue;
        const struct source_place was = {c->job->was, section->was->package, section->was->file};
        if (!has_text(&was))
            return true;
    }
    return false;
}

static void put_change_banners(struct page *page, const struct changes *c,
                               const struct change_file *file)
{
    const struct source_place now = {c->job->sources, file->package, file->path};
    if (c->job->sources->withheld) {
        page_put(page, "<p class=note>Sources are excluded (<code>--no-source</code>).</p>\n");
        return;
    }
    if (file->file != NULL && !has_text(&now))
        page_put(page, "<p class=note>The source is not shown: %s.</p>\n", sources_lack(&now));
    if (misses_was(c, file))
        page_put(page, "<p class=note>Old source is not shown where the file is missing or is not "
                       "the one that was compiled for BASE, and the symbols hold no copy of it; "
                       "<code>--base-root</code> names the folder that has it. The first column of "
                       "hits is BASE's.</p>\n");
}

static bool begin_page(struct page *page, struct str name, const struct changes *c,
                       const struct change_file *file, struct err *err)
{
    change_frame_begin(page, c, name, file->path, "source");
    page_put(page, "<nav aria-label=\"Where this is\"><ol class=way><li>");
    page_open_link(page, str_of(change_overview(c)), "", 0);
    page_put(page, "Changes</a></ol></nav>\n<h1>%.*s</h1>\n", STR_ARGS(file->path));
    put_file_counts(page, c, file);
    if (!put_file_links(page, c, file, err))
        return false;
    page_put(page, "</header>\n<main id=main>\n");
    put_change_banners(page, c, file);
    page_put(page, "<p class=legend><b>0</b> did not run <i>~</i> ran, but not all outcomes "
                   "happened <mark class=m>not this statement</mark> <ins>+</ins> added "
                   "<del>-</del> removed</p>\n");
    return true;
}

/* --- parts ------------------------------------------------------------------------------------ */

struct part_writing {
    struct changes *c;
    struct change_file *file;
    struct page page;
    struct list parts; /* struct str: names */
    size_t source_len; /* of the page so far */
    bool has_section;
    struct err *err;
};

static bool open_page_part(struct part_writing *w)
{
    uint32_t number = w->parts.count + 1;
    struct str *name = list_add(&w->parts, sizeof *name, w->c->arena, w->err);
    if (name == NULL)
        return false;
    *name = w->file->pages[0];
    if (number > 1 && !name_page_part(name, w->file, number, w->c->arena, w->err))
        return false;
    if (!begin_page(&w->page, *name, w->c, w->file, w->err))
        return false;
    if (number > 1) {
        page_put(&w->page, "<p class=note>Part %u; the first is ", number);
        page_open_link(&w->page, w->file->pages[0], "", 0);
        page_put(&w->page, "here</a>.</p>\n");
    }
    w->source_len = 0;
    w->has_section = false;
    return true;
}

static bool close_part(struct part_writing *w, bool has_next)
{
    struct str next;
    if (has_next) {
        if (!name_page_part(&next, w->file, w->parts.count + 1, w->c->scratch, w->err))
            return false;
        page_put(&w->page, "<p class=note>More of this file is on the ");
        page_open_link(&w->page, next, "", 0);
        page_put(&w->page, "next page</a>.</p>\n");
    }
    return page_end(&w->page, NULL, w->err);
}

static bool fits_part(const struct part_writing *w, size_t len, size_t source_len)
{
    size_t all = w->page.text.len + len + END_ROOM;
    bool is_measured = !w->c->job->sources->withheld && w->source_len + source_len != 0;
    return all <= CHANGE_PAGE_MAX &&
           (!is_measured || all <= (w->source_len + source_len) * 5 / 2 + CHANGE_PAGE_FIXED);
}

static bool put_section(struct part_writing *w, uint32_t i)
{
    struct str bytes;
    size_t source_len = 0;
    struct change_section section = {.of = &w->file->sections[i],
                                     .diff = w->c->diff,
                                     .file = w->file->file,
                                     .now = w->c->job->sources,
                                     .was = w->c->job->was,
                                     .number = i + 1,
                                     .parts = w->file->line_parts};
    struct text text = text_in(w->c->scratch);
    if (!change_section_put(&text, &source_len, &section, w->c->scratch, w->err) ||
        !text_take(&bytes, &text, w->err))
        return false;
    /* A part has one section at least. */
    if (w->has_section && !fits_part(w, bytes.len, source_len) &&
        (!close_part(w, true) || !open_page_part(w)))
        return false;
    for (uint32_t k = 0; k < section.of->line_count; k++) {
        const struct diff_line *line = diff_file_line(w->file->file, section.of->lines[k]);
        uint32_t *part = line != NULL ? &section.parts[line - w->file->file->lines] : NULL;
        if (part != NULL && *part == NO_INDEX)
            *part = w->parts.count;
    }
    w->has_section = true;
    w->file->section_parts[i] = w->parts.count;
    w->source_len += source_len;
    text_add(&w->page.text, bytes);
    return true;
}

bool change_page_write(struct changes *c, struct change_file *file, struct err *err)
{
    struct part_writing w = {.c = c, .file = file, .err = err};
    arena_reset(c->scratch);
    if (!open_page_part(&w))
        return false;
    for (uint32_t i = 0; i < file->section_count; i++)
        if (!put_section(&w, i))
            return false;
    if (!close_part(&w, false))
        return false;
    file->pages = w.parts.items;
    return true;
}

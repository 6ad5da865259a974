#include "reporters/diff/change_page.h"

#include <stdlib.h>

#include "base/list.h"
#include "reporters/diff/change_frame.h"
#include "reporters/diff/change_section.h"
#include "reporters/diff/summary.h"
#include "reporters/html/frame.h"
#include "reporters/html/html_text.h"
#include "reporters/html/page_name.h"

enum {
    END_ROOM = 400 /* bytes for what follows the last section */
};

/* --- names ------------------------------------------------------------------------------------ */

static int order_by_page(const void *left, const void *right)
{
    const struct change_file *const *a = left, *const *b = right;
    int order = str_cmp((*a)->pages[0], (*b)->pages[0]);
    return order != 0 ? order : (*a > *b) - (*a < *b);
}

static bool name_file(struct change_file *file, uint32_t copy, struct changes *c, struct err *err)
{
    return page_name(&file->pages[0], "changes", file->path, file->package, copy, c->arena, err);
}

bool change_pages_name(struct changes *c, struct err *err)
{
    struct change_file **by_page = ARENA_NEW(c->arena, struct change_file *, c->file_count, err);
    if (by_page == NULL)
        return false;
    for (uint32_t i = 0; i < c->file_count; i++) {
        struct change_file *file = by_page[i] = &c->files[i];
        file->pages = ARENA_NEW(c->arena, struct str, 1, err);
        file->page_count = 1;
        if (file->pages == NULL || !name_file(file, 0, c, err))
            return false;
    }
    bool again = c->file_count != 0;
    for (uint32_t copy = 1; again; copy++) {
        again = false;
        qsort(by_page, c->file_count, sizeof(struct change_file *), order_by_page);
        for (uint32_t i = 1; i < c->file_count; i++) {
            if (!str_eq(by_page[i - 1]->pages[0], by_page[i]->pages[0]))
                continue;
            again = true;
            if (!name_file(by_page[i], copy, c, err))
                return false;
        }
    }
    return true;
}

/* "changes/0f6a3c2b91d4-Order.cs-2.html" of the second part. */
static bool name_part(struct str *out, const struct change_file *file, uint32_t part,
                      struct arena *arena, struct err *err)
{
    struct str first = file->pages[0];
    return text_format(out, arena, err, "%.*s-%u.html", (int)(first.len - sizeof ".html" + 1),
                       first.text, part);
}

/* --- the head --------------------------------------------------------------------------------- */

static void put_neighbour(struct text *out, struct str name, const struct change_file *file,
                          const char *rel, const char *label)
{
    text_addf(out, "<a rel=%s", rel);
    frame_link(out, name, file->pages[0], "", 0);
    text_add(out, STR(" title=\""));
    html_attribute(out, file->path);
    text_addf(out, "\">%s</a> ", label);
}

/* The page that the report beside these has of it: it shows the same files of HEAD. */
static bool put_whole_file(struct text *out, struct str name, const struct changes *c,
                           const struct change_file *file, struct err *err)
{
    struct str page;
    if (!page_name(&page, "files", file->path, file->package, 0, c->scratch, err))
        return false;
    text_add(out, STR("<a"));
    frame_link(out, name, page, "", 0);
    text_add(out, STR(">Whole file</a> "));
    return true;
}

static bool put_files(struct text *out, struct str name, const struct changes *c,
                      const struct change_file *file, struct err *err)
{
    size_t i = (size_t)(file - c->files);
    bool has_whole = c->is_beside && file->file != NULL;
    if (c->file_count < 2 && !has_whole)
        return true;
    text_add(out, STR("<nav class=files aria-label=\"Files beside this one\">"));
    if (has_whole && !put_whole_file(out, name, c, file, err))
        return false;
    if (i != 0)
        put_neighbour(out, name, file - 1, "prev", "Previous file");
    if (i + 1 != c->file_count)
        put_neighbour(out, name, file + 1, "next", "Next file");
    text_add(out, STR("</nav>\n"));
    return true;
}

static void put_counts(struct text *out, const struct changes *c, const struct change_file *file)
{
    char counts[SUMMARY_COUNTS_ROOM];
    summary_states(counts, file->lines);
    text_add(out, STR("<p class=of>"));
    html_text(out, file->package);
    if (c->diff->base_name.len != 0) {
        text_add_c(out, file->file == NULL ? ". The file is gone" : ". Lines: ");
        if (file->file != NULL)
            text_add_c(out, counts[0] != '\0' ? counts : "as before");
        summary_states(counts, file->outcomes);
        if (counts[0] != '\0')
            text_addf(out, ". Branches: %s", counts);
    }
    if (file->patch_owed != 0) {
        text_add(out, STR(". Patch: "));
        html_number(out, file->patch_covered);
        text_add(out, STR(" of "));
        html_count(out, file->patch_owed, "line");
        text_add(out, STR(" covered"));
    }
    text_add(out, STR(".</p>\n"));
}

static bool has_text(const struct sources *sources, struct str package, struct str path)
{
    return sources->line(sources->context, package, path, 1).text != NULL;
}

/* Is the old text of some section missing? */
static bool misses_was(const struct changes *c, const struct change_file *file)
{
    for (uint32_t i = 0; i < file->section_count; i++) {
        const struct diff_section *section = &file->sections[i];
        if (section->was != NULL && section->method.kind != DIFF_UNCHANGED &&
            !has_text(c->job->was, section->was->package, section->was->file))
            return true;
    }
    return false;
}

static void put_banners(struct text *out, const struct changes *c, const struct change_file *file)
{
    if (c->job->sources->withheld) {
        text_add(out, STR("<p class=note>Sources are left out (<code>--no-source</code>).</p>\n"));
        return;
    }
    if (file->file != NULL && !has_text(c->job->sources, file->package, file->path))
        text_addf(out, "<p class=note>The source is not shown: %s.</p>\n",
                  sources_lack(c->job->sources, file->package, file->path));
    if (misses_was(c, file))
        text_add(out, STR("<p class=note>Old source is not shown where the file is missing or is "
                          "not the one that was compiled for BASE, and the symbols hold no copy "
                          "of it; <code>--base-root</code> names the folder that has it. The "
                          "first column of hits is BASE's.</p>\n"));
}

static bool begin_page(struct text *out, struct str name, const struct changes *c,
                       const struct change_file *file, struct err *err)
{
    text_open(out, c->scratch);
    change_frame_begin(out, c, name, file->path, "source");
    text_add(out, STR("<nav aria-label=\"Where this is\"><ol class=way><li><a"));
    frame_link(out, name, str_of(change_overview(c)), "", 0);
    text_add(out, STR(">Changes</a></ol></nav>\n<h1>"));
    html_text(out, file->path);
    text_add(out, STR("</h1>\n"));
    put_counts(out, c, file);
    if (!put_files(out, name, c, file, err))
        return false;
    text_add(out, STR("</header>\n<main id=main>\n"));
    put_banners(out, c, file);
    text_add(out, STR("<p class=legend><b>0</b> did not run <i>~</i> ran, but not all outcomes "
                      "happened <mark class=m>not this statement</mark> <ins>+</ins> added "
                      "<del>-</del> removed</p>\n"));
    return true;
}

/* --- parts ------------------------------------------------------------------------------------ */

struct writing {
    struct changes *c;
    struct change_file *file;
    struct text page;
    struct list parts; /* struct str: names */
    size_t source_len; /* of the page so far */
    bool has_section;
    struct err *err;
};

static bool open_part(struct writing *w)
{
    uint32_t number = w->parts.count + 1;
    struct str *name = list_add(&w->parts, sizeof *name, w->c->arena, w->err);
    if (name == NULL)
        return false;
    *name = w->file->pages[0];
    if (number > 1 && !name_part(name, w->file, number, w->c->arena, w->err))
        return false;
    if (!begin_page(&w->page, *name, w->c, w->file, w->err))
        return false;
    if (number > 1) {
        text_addf(&w->page, "<p class=note>Part %u; ", number);
        text_add(&w->page, STR("the first is <a"));
        frame_link(&w->page, *name, w->file->pages[0], "", 0);
        text_add(&w->page, STR(">here</a>.</p>\n"));
    }
    w->source_len = 0;
    w->has_section = false;
    return true;
}

static bool close_part(struct writing *w, bool has_next)
{
    struct str name = ((struct str *)w->parts.items)[w->parts.count - 1], next;
    if (has_next) {
        if (!name_part(&next, w->file, w->parts.count + 1, w->c->scratch, w->err))
            return false;
        text_add(&w->page, STR("<p class=note>More of this file is on the <a"));
        frame_link(&w->page, name, next, "", 0);
        text_add(&w->page, STR(">next page</a>.</p>\n"));
    }
    return change_frame_end(&w->page, w->c, name, w->err);
}

static bool fits(const struct writing *w, size_t len, size_t source_len)
{
    size_t all = w->page.len + len + END_ROOM;
    bool is_measured = !w->c->job->sources->withheld && w->source_len + source_len != 0;
    return all <= CHANGE_PAGE_MAX &&
           (!is_measured || all <= (w->source_len + source_len) * 5 / 2 + CHANGE_PAGE_FIXED);
}

static bool put_section(struct writing *w, uint32_t i)
{
    struct text text;
    struct str bytes;
    size_t source_len = 0;
    struct change_input input = {.diff = w->c->diff,
                                 .file = w->file->file,
                                 .now = w->c->job->sources,
                                 .was = w->c->job->was};
    struct change_section section = {.of = &w->file->sections[i],
                                     .input = &input,
                                     .number = i + 1,
                                     .parts = w->file->line_parts,
                                     .part = UINT32_MAX};
    text_open(&text, w->c->scratch);
    if (!change_section_put(&text, &source_len, &section, w->c->scratch, w->err) ||
        !text_take(&bytes, &text, w->err))
        return false;
    /* A part has one section at least. */
    if (w->has_section && !fits(w, bytes.len, source_len) &&
        (!close_part(w, true) || !open_part(w)))
        return false;
    for (uint32_t k = 0; k < section.of->line_count; k++) {
        const struct diff_line *line = diff_file_line(w->file->file, section.of->lines[k]);
        uint32_t *part = line != NULL ? &section.parts[line - w->file->file->lines] : NULL;
        if (part != NULL && *part == UINT32_MAX)
            *part = w->parts.count;
    }
    w->has_section = true;
    w->file->section_parts[i] = w->parts.count;
    w->source_len += source_len;
    text_add(&w->page, bytes);
    return true;
}

bool change_page_write(struct changes *c, struct change_file *file, struct err *err)
{
    struct writing w = {.c = c, .file = file, .err = err};
    arena_reset(c->scratch);
    if (!open_part(&w))
        return false;
    for (uint32_t i = 0; i < file->section_count; i++)
        if (!put_section(&w, i))
            return false;
    if (!close_part(&w, false))
        return false;
    file->pages = w.parts.items;
    file->page_count = w.parts.count;
    return true;
}

#include "reporters/diff/change_index.h"

#include <stdlib.h>

#include "base/number.h"
#include "coverage/diff/gate.h"
#include "reporters/diff/change_frame.h"
#include "reporters/diff/change_section.h"
#include "reporters/diff/methods.h"
#include "reporters/diff/summary.h"
#include "reporters/html/frame.h"
#include "reporters/html/html_text.h"
#include "reporters/source_text.h"

/* So many are legible, and keep a page below 1 MB. */
enum {
    FILES_MAX = 1500,
    METHODS_MAX = 1000,
    RUNS_MAX = 2000,
    GAP_MOST = 3, /* lines without code in a run */
    TEXT_MAX = 90 /* bytes of a line in a list */
};

struct page {
    struct changes *c;
    struct text text;
    struct str name;
};

static void put(struct page *page, const char *html)
{
    text_add_c(&page->text, html);
}

static void put_number(struct page *page, uint64_t number)
{
    html_number(&page->text, number);
}

static void begin(struct page *page, struct changes *c, const char *name, const char *heading)
{
    arena_reset(c->scratch);
    *page = (struct page){.c = c, .name = str_of(name)};
    text_open(&page->text, c->scratch);
    change_frame_begin(&page->text, c, page->name, str_of(heading), "index");
    text_addf(&page->text, "<h1>%s</h1>\n", heading);
}

static void put_more(struct page *page, uint64_t count, uint64_t max, const char *noun)
{
    if (count <= max)
        return;
    put(page, "<p class=note>");
    html_count(&page->text, count - max, noun);
    put(page, " more; <code>ilcov diff -f json</code> has all.</p>\n");
}

/* --- the overview ----------------------------------------------------------------------------- */

static void put_fact(struct page *page, const char *title, struct str name, struct str about)
{
    if (name.len == 0)
        return;
    text_addf(&page->text, "<div><dt>%s<dd>", title);
    html_text(&page->text, name);
    if (about.len != 0) {
        put(page, " <small>");
        html_text(&page->text, about);
        put(page, "</small>");
    }
    put(page, "</div>");
}

static void put_note(struct page *page, struct str note)
{
    if (note.len == 0)
        return;
    put(page, "<p class=note>");
    html_text(&page->text, note);
    put(page, ".</p>\n");
}

static void put_facts(struct page *page)
{
    const struct diff *diff = page->c->diff;
    bool tells = page->c->tells_times;
    put(page, "<dl class=facts>");
    put_fact(page, "Before", diff->base_name, tells ? diff->base_about : STR(""));
    put_fact(page, "Now", diff->head_name, tells ? diff->head_about : STR(""));
    put_fact(page, "Patch", diff->patch_name, STR(""));
    put(page, "</dl>\n</header>\n<main id=main>\n");
    put_note(page, diff->note);
    if (diff->by_line)
        put_note(page,
                 STR("BASE is a report of another tool: lines are compared by their numbers"));
}

static const char *gate_word(const struct gate_result *gate)
{
    return gate->failed ? "<em>failed</em>" : gate->why.len != 0 ? "nothing to test" : "holds";
}

static void put_gate(struct page *page, const struct gate_result *gate)
{
    put(page, "<tr><th scope=row><code>");
    html_text(&page->text, gate->gate->text);
    put(page, "</code>");
    if (gate->package.len != 0) {
        put(page, " <small>");
        html_text(&page->text, gate->package);
        put(page, "</small>");
    }
    text_addf(&page->text, "<td>%s<td>", gate_word(gate));
    html_text(&page->text, gate->why);
    put(page, "\n");
}

/* Those that failed first. */
static void put_gates(struct page *page)
{
    const struct diff *diff = page->c->diff;
    if (diff->gate_count == 0)
        return;
    put(page, "<h2>Gates</h2>\n<table class=gates><thead><tr><th scope=col>Gate<th scope=col>Result"
              "<th scope=col>Why\n<tbody>\n");
    for (int failed = 1; failed >= 0; failed--)
        for (uint32_t i = 0; i < diff->gate_count; i++)
            if (diff->gates[i].failed == (failed == 1))
                put_gate(page, &diff->gates[i]);
    put(page, "</table>\n");
}

static void put_share(struct page *page, uint64_t covered, uint64_t valid)
{
    char percent[SUMMARY_ROOM];
    summary_percent(percent, covered, valid);
    text_addf(&page->text, "<td>%s <small>", percent);
    put_number(page, covered);
    put(page, " of ");
    put_number(page, valid);
    put(page, "</small>");
}

static void put_totals(struct page *page)
{
    const struct diff *diff = page->c->diff;
    bool has_base = diff->base_name.len != 0;
    struct summary_row rows[SUMMARY_ROWS];
    summary_rows(rows, &diff->totals);
    put(page, "<h2>Totals</h2>\n<table class=sums><thead><tr><td>");
    put(page, has_base ? "<th scope=col>Before<th scope=col>Now<th scope=col>Change\n"
                       : "<th scope=col>Now\n");
    put(page, "<tbody>\n");
    for (int i = 0; i < SUMMARY_ROWS; i++) {
        char change[SUMMARY_ROOM];
        summary_change(change, &rows[i]);
        text_addf(&page->text, "<tr><th scope=row>%s", rows[i].title);
        if (has_base)
            put_share(page, rows[i].base_covered, rows[i].base_valid);
        put_share(page, rows[i].covered, rows[i].valid);
        if (has_base)
            text_addf(&page->text, "<td>%s", change);
        put(page, "\n");
    }
    put(page, "</table>\n");
}

static void put_count_line(struct page *page, const char *title, const char *counts)
{
    if (counts[0] != '\0')
        text_addf(&page->text, "<li><strong>%s:</strong> %s\n", title, counts);
}

static void put_counts(struct page *page)
{
    char counts[SUMMARY_COUNTS_ROOM];
    const struct diff *diff = page->c->diff;
    const struct diff_totals *totals = &diff->totals;
    put(page, "<ul class=counts>\n");
    if (diff->base_name.len != 0) {
        summary_states(counts, totals->lines);
        put_count_line(page, "Lines", counts[0] != '\0' ? counts : "as before");
        summary_states(counts, totals->outcomes);
        put_count_line(page, "Branches", counts);
        summary_kinds(counts, totals->methods);
        put_count_line(page, "Methods", counts);
    }
    if (totals->removed_covered + totals->removed_missed != 0) {
        put(page, "<li><strong>Removed:</strong> ");
        html_count(&page->text, totals->removed_covered + totals->removed_missed, "line");
        put(page, ", of which ");
        put_number(page, totals->removed_covered);
        put(page, totals->removed_covered == 1 ? " was covered\n" : " were covered\n");
    }
    if (diff->patch_name.len != 0) {
        summary_patch(counts, totals);
        put_count_line(page, "Patch", counts);
    }
    put(page, "</ul>\n");
}

/* What a reviewer must look at first. */
static uint64_t weight_of(const struct change_file *file)
{
    return file->lines[DIFF_LOST] + file->lines[DIFF_NEW_MISSED] + file->outcomes[DIFF_LOST] +
           file->outcomes[DIFF_NEW_MISSED] + (file->patch_owed - file->patch_covered);
}

static int by_weight(const void *left, const void *right)
{
    const struct change_file *a = *(const struct change_file *const *)left;
    const struct change_file *b = *(const struct change_file *const *)right;
    int order = number_order(weight_of(b), weight_of(a));
    return order != 0 ? order : (a > b) - (a < b);
}

static void put_cell(struct page *page, uint64_t count)
{
    put(page, "<td>");
    if (count != 0)
        put_number(page, count);
}

static void put_file(struct page *page, const struct change_file *file)
{
    const struct diff *diff = page->c->diff;
    put(page, "<tr><th scope=row><a");
    frame_link(&page->text, page->name, file->pages[0], "", 0);
    put(page, ">");
    html_text(&page->text, file->path);
    put(page, "</a> <small>");
    html_text(&page->text, file->package);
    put(page, "</small>");
    if (file->file == NULL)
        put(page, " <small>gone</small>");
    if (diff->base_name.len != 0) {
        put_cell(page, file->lines[DIFF_LOST]);
        put_cell(page, file->lines[DIFF_NEW_MISSED]);
        put_cell(page, file->lines[DIFF_GAINED]);
        put_cell(page, file->lines[DIFF_NEW_COVERED]);
        put_cell(page, file->outcomes[DIFF_LOST] + file->outcomes[DIFF_NEW_MISSED]);
    }
    if (diff->patch_name.len != 0) {
        put_cell(page, file->patch_owed);
        put_cell(page, file->patch_owed - file->patch_covered);
    }
    put(page, "\n");
}

static bool put_files(struct page *page, struct err *err)
{
    const struct changes *c = page->c;
    const struct change_file **files =
        ARENA_NEW(c->scratch, const struct change_file *, c->file_count, err);
    if (files == NULL)
        return false;
    put(page, "<h2>Files</h2>\n");
    if (c->file_count == 0) {
        put(page, "<p>Nothing changed.</p>\n");
        return true;
    }
    for (uint32_t i = 0; i < c->file_count; i++)
        files[i] = &c->files[i];
    qsort(files, c->file_count, sizeof(const struct change_file *), by_weight);
    put(page, "<div class=scroll tabindex=0 role=region aria-label=Files><table class=changed>\n"
              "<thead><tr><th scope=col>File");
    if (c->diff->base_name.len != 0)
        put(page, "<th scope=col>Lost<th scope=col>New, missed<th scope=col>Gained"
                  "<th scope=col>New, covered<th scope=col>Outcomes lost, or new and missed");
    if (c->diff->patch_name.len != 0)
        put(page, "<th scope=col>In the patch<th scope=col>of them missed");
    put(page, "\n<tbody>\n");
    for (uint32_t i = 0; i < c->file_count && i < FILES_MAX; i++)
        put_file(page, files[i]);
    put(page, "</table></div>\n");
    put_more(page, c->file_count, FILES_MAX, "file");
    return true;
}

static bool write_overview(struct changes *c, struct err *err)
{
    struct page page;
    begin(&page, c, change_overview(c), "What changed");
    put_facts(&page);
    put_gates(&page);
    put_totals(&page);
    put_counts(&page);
    return put_files(&page, err) && change_frame_end(&page.text, c, page.name, err);
}

/* --- lists of lines --------------------------------------------------------------------------- */

struct listing {
    struct page page;
    enum change_list list;
    uint64_t runs, lines; /* so far */
};

static bool is_in(const struct listing *l, const struct diff_line *line)
{
    return change_list_has(l->list, l->page.c->diff, line);
}

/* Is it about the line itself, not only about its outcomes? */
static bool is_whole(const struct diff_line *line)
{
    return line->state == DIFF_LOST || line->state == DIFF_NEW_MISSED ||
           line->state == DIFF_GAINED || (line->in_patch && !diff_state_is_covered(line->state));
}

static void put_excerpt(struct listing *l, const struct change_file *file, uint32_t number)
{
    struct text *out = &l->page.text;
    struct str text = source_text_line(l->page.c->job->sources, file->package, file->path, number);
    text = str_trim(text, " \t\r\f\v");
    bool is_cut = text.len > TEXT_MAX;
    if (is_cut)
        text.len = TEXT_MAX;
    while (is_cut && text.len != 0 && ((uint8_t)text.text[text.len] & 0xC0) == 0x80)
        text.len--;
    if (text.len == 0)
        return;
    text_add(out, STR(" <code>"));
    html_text(out, text);
    text_add(out, STR("</code>"));
    if (is_cut)
        text_add(out, STR("\xE2\x80\xA6"));
}

static void put_run(struct listing *l, const struct change_file *file, uint32_t first,
                    uint32_t last)
{
    struct page *page = &l->page;
    const struct diff_line *lines = file->file->lines;
    put(page, "<li><a");
    change_link_line(&page->text, page->name, file, &lines[first]);
    put(page, ">");
    put_number(page, lines[first].number);
    if (last != first) {
        put(page, "\xE2\x80\x93");
        put_number(page, lines[last].number);
    }
    put(page, is_whole(&lines[first]) ? "</a>" : "</a> branch of");
    put_excerpt(l, file, lines[first].number);
    put(page, "\n");
}

/* Lines that follow each other, but for a few without code. */
static uint32_t run_end(const struct listing *l, const struct diff_file *file, uint32_t first)
{
    uint32_t last = first;
    while (last + 1 < file->line_count && is_in(l, &file->lines[last + 1]) &&
           is_whole(&file->lines[last + 1]) == is_whole(&file->lines[first]) &&
           file->lines[last + 1].number - file->lines[last].number <= GAP_MOST + 1)
        last++;
    return last;
}

static void put_file_lines(struct listing *l, const struct change_file *file)
{
    struct page *page = &l->page;
    bool has_heading = false;
    for (uint32_t i = 0; file->file != NULL && i < file->file->line_count; i++) {
        if (!is_in(l, &file->file->lines[i]))
            continue;
        uint32_t last = run_end(l, file->file, i);
        l->runs++;
        l->lines += last - i + 1;
        if (l->runs > RUNS_MAX) {
            i = last;
            continue;
        }
        if (!has_heading) {
            put(page, "<h2><a");
            frame_link(&page->text, page->name, file->pages[0], "", 0);
            put(page, ">");
            html_text(&page->text, file->path);
            put(page, "</a> <small>");
            html_text(&page->text, file->package);
            put(page, "</small></h2>\n<ul class=lines>\n");
        }
        has_heading = true;
        put_run(l, file, i, last);
        i = last;
    }
    if (has_heading)
        put(page, "</ul>\n");
}

static bool write_list(struct changes *c, enum change_list list, struct err *err)
{
    static const char *const none[] = {"<p>Nothing was lost.</p>\n",
                                       "<p>Nothing new is missed.</p>\n",
                                       "<p>Nothing was gained.</p>\n"};
    static const char *const about[] = {
        "Lines and branch outcomes that BASE covered and that are no longer covered.",
        "Lines and branch outcomes that are new, or in the patch, and are not covered.",
        "Lines and branch outcomes that BASE missed and that are covered now."};
    static const char *const titles[] = {"Lost", "New and missed", "Gained"};
    struct listing l = {.list = list};
    _Static_assert(ARRAY_LEN(none) == CHANGE_LIST_COUNT, "a text for each");
    begin(&l.page, c, change_list_page(list),
          c->diff->base_name.len != 0 ? titles[list] : "Missed in the patch");
    text_addf(&l.page.text, "<p class=of>%s</p>\n</header>\n<main id=main>\n", about[list]);
    for (uint32_t i = 0; i < c->file_count; i++)
        put_file_lines(&l, &c->files[i]);
    if (l.runs == 0)
        put(&l.page, none[list]);
    put_more(&l.page, l.runs, RUNS_MAX, "place");
    return change_frame_end(&l.page.text, c, l.page.name, err);
}

/* --- methods ---------------------------------------------------------------------------------- */

struct method_place {
    const struct change_file *file;
    uint32_t section;
};

/* Sections begin with their methods, which are sorted. */
static bool list_methods(const struct diff_method ***out, uint32_t *count, struct changes *c,
                         struct err *err)
{
    size_t room = 0;
    *count = 0;
    for (uint32_t i = 0; i < c->file_count; i++)
        room += c->files[i].section_count;
    *out = ARENA_NEW(c->scratch, const struct diff_method *, room, err);
    if (*out == NULL)
        return false;
    for (uint32_t i = 0; i < c->file_count; i++)
        for (uint32_t k = 0; k < c->files[i].section_count; k++)
            if (c->files[i].sections[k].method.name.len != 0)
                (*out)[(*count)++] = &c->files[i].sections[k].method;
    return methods_sort(*out, *count, c->scratch, err);
}

static struct method_place place_of(const struct changes *c, const struct diff_method *method)
{
    const struct diff_section *section = (const struct diff_section *)(const void *)method;
    uint32_t low = 0, high = c->file_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = str_cmp(c->files[middle].package, method->package);
        if (order == 0)
            order = str_cmp(c->files[middle].path, method->file);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return (struct method_place){&c->files[low], (uint32_t)(section - c->files[low].sections)};
}

static void put_method(struct page *page, const struct diff_method *method)
{
    struct method_place place = place_of(page->c, method);
    struct method_lines lines = method_lines(method);
    bool has_base = page->c->diff->base_name.len != 0;
    put(page, "<tr><th scope=row><a");
    change_link_section(&page->text, page->name, place.file, place.section);
    put(page, ">");
    change_put_name(&page->text, method);
    put(page, "</a>");
    if (method->display_from.len != 0) {
        put(page, " <small>was ");
        html_text(&page->text, method->display_from);
        put(page, "</small>");
    }
    if (has_base && !page->c->diff->by_line)
        text_addf(&page->text, "<td>%s", diff_kind_text(method->kind));
    put_cell(page, lines.covered);
    put_cell(page, lines.missed);
    if (has_base) {
        put_cell(page, method->kind != DIFF_REMOVED ? method->lines[DIFF_LOST] : 0);
        put_cell(page, method->kind != DIFF_REMOVED ? method->lines[DIFF_GAINED] : 0);
    }
    put(page, "\n");
}

static bool write_methods(struct changes *c, struct err *err)
{
    struct page page;
    const struct diff_method **methods;
    uint32_t count = 0;
    bool has_base = c->diff->base_name.len != 0;
    begin(&page, c, CHANGE_METHODS, "Methods");
    put(&page, "<p class=of>Those that need tests come first.</p>\n</header>\n<main id=main>\n");
    if (!list_methods(&methods, &count, c, err))
        return false;
    if (count == 0)
        put(&page, "<p>No method changed.</p>\n");
    if (count != 0) {
        put(&page, "<div class=scroll tabindex=0 role=region aria-label=Methods><table "
                   "class=changed>\n<thead><tr><th scope=col>Method");
        if (has_base && !c->diff->by_line)
            put(&page, "<th scope=col>Change");
        put(&page, "<th scope=col>Lines covered<th scope=col>missed");
        put(&page, has_base ? "<th scope=col>lost<th scope=col>gained\n<tbody>\n" : "\n<tbody>\n");
        for (uint32_t i = 0; i < count && i < METHODS_MAX; i++)
            put_method(&page, methods[i]);
        put(&page, "</table></div>\n");
    }
    put_more(&page, count, METHODS_MAX, "method");
    return change_frame_end(&page.text, c, page.name, err);
}

bool change_index_write(struct changes *c, struct err *err)
{
    bool has_base = c->diff->base_name.len != 0;
    return write_methods(c, err) &&
           (!has_base || (write_list(c, CHANGE_LOST, err) && write_list(c, CHANGE_GAINED, err))) &&
           write_list(c, CHANGE_NEW, err) && write_overview(c, err);
}

/* The pages of a comparison that are about all files: the overview with gates and totals, the lists
 * of lines, the methods. Long lists are cut, and say so. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/sort.h"
#include "coverage/diff/gate.h"
#include "reporters/diff/change_frame.h"
#include "reporters/diff/change_section.h"
#include "reporters/diff/diff_formats.h"
#include "reporters/diff/methods.h"
#include "reporters/diff/summary.h"
#include "reporters/html/html_text.h"
#include "reporters/html/site_folder.h"
#include "reporters/legible.h"
#include "reporters/source_text.h"

/* So many are legible, and keep a page below 1 MB. */
enum {
    FILES_MAX = 1500,
    METHODS_MAX = 1000,
    RUNS_MAX = 2000,
    GAP_MOST = 3, /* lines without code in a run */
    TEXT_MAX = 90 /* bytes of a line in a list */
};

static void begin_index(struct page *page, const struct changes *c, const char *name,
                        const char *heading)
{
    arena_reset(c->scratch);
    change_frame_begin(page, c, str_of(name), str_of(heading), "index");
    page_put(page, "<h1>%s</h1>\n", heading);
}

static void put_more_in_json(struct page *page, uint64_t count, uint64_t max, const char *noun)
{
    if (count <= max)
        return;
    page_put(page, "<p class=note>");
    html_count(&page->text, count - max, noun);
    page_put(page, " more; <code>ilcov diff -f json</code> has all.</p>\n");
}

/* What is less important beside it. */
static void put_small(struct page *page, struct str text)
{
    if (text.len != 0)
        page_put(page, " <small>%.*s</small>", STR_ARGS(text));
}

static void put_file_link(struct page *page, const struct change_file *file)
{
    page_open_link(page, file->pages[0], "", 0);
    page_put(page, "%.*s</a> <small>%.*s</small>", STR_ARGS(file->path), STR_ARGS(file->package));
}

/* --- the overview ----------------------------------------------------------------------------- */

static void put_fact_item(struct page *page, const char *title, struct str name, struct str about)
{
    if (name.len == 0)
        return;
    page_put(page, "<div><dt>%s<dd>%.*s", title, STR_ARGS(name));
    put_small(page, about);
    page_put(page, "</div>");
}

static void put_note(struct page *page, struct str note)
{
    if (note.len != 0)
        page_put(page, "<p class=note>%.*s.</p>\n", STR_ARGS(note));
}

/* Beside a report that is deterministic, which hides its root, no page says when runs were. */
static void put_facts(struct page *page, const struct changes *c)
{
    const struct diff *diff = c->diff;
    const struct report *report = c->job->report;
    bool tells = report == NULL || !str_is(report->root, ".");
    page_put(page, "<dl class=facts>");
    put_fact_item(page, "Before", diff->base_name, tells ? diff->base_about : STR(""));
    put_fact_item(page, "Now", diff->head_name, tells ? diff->head_about : STR(""));
    put_fact_item(page, "Patch", diff->patch_name, STR(""));
    page_put(page, "</dl>\n</header>\n<main id=main>\n");
    put_note(page, diff->note);
    if (diff->by_line)
        put_note(page,
                 STR("BASE is a report of another tool: lines are compared by their numbers"));
}

static void put_gate_cells(struct page *page, const struct gate_result *gate)
{
    page_put(page, "<tr><th scope=row><code>%.*s</code>", STR_ARGS(gate->gate->text));
    put_small(page, gate->package);
    page_put(page, "<td>%s<td>%.*s\n",
             gate->failed         ? "<em>failed</em>"
             : gate->why.len != 0 ? "nothing to test"
                                  : "holds",
             STR_ARGS(gate->why));
}

/* Those that failed first. */
static void put_gate_table(struct page *page, const struct diff *diff)
{
    if (diff->gate_count == 0)
        return;
    page_put(page, "<h2>Gates</h2>\n<table class=gates><thead><tr><th scope=col>Gate<th scope=col>"
                   "Result<th scope=col>Why\n<tbody>\n");
    for (int failed = 1; failed >= 0; failed--)
        for (uint32_t i = 0; i < diff->gate_count; i++)
            if (diff->gates[i].failed == (failed == 1))
                put_gate_cells(page, &diff->gates[i]);
    page_put(page, "</table>\n");
}

static void put_totals_share(struct page *page, uint64_t covered, uint64_t valid)
{
    char percent[LEGIBLE_PERCENT_ROOM];
    page_put(page, "<td>%s <small>%" PRIu64 " of %" PRIu64 "</small>",
             legible_percent(percent, covered, valid), covered, valid);
}

static void put_totals_part(struct page *page, const struct diff *diff)
{
    bool has_base = diff->base_name.len != 0;
    struct summary_row rows[SUMMARY_ROWS];
    summary_rows(rows, &diff->totals);
    page_put(page, "<h2>Totals</h2>\n<table class=sums><thead><tr><td>%s\n<tbody>\n",
             has_base ? "<th scope=col>Before<th scope=col>Now<th scope=col>Change"
                      : "<th scope=col>Now");
    for (int i = 0; i < SUMMARY_ROWS; i++) {
        char change[SUMMARY_ROOM];
        summary_change(change, &rows[i]);
        page_put(page, "<tr><th scope=row>%s", rows[i].title);
        if (has_base)
            put_totals_share(page, rows[i].base_covered, rows[i].base_valid);
        put_totals_share(page, rows[i].covered, rows[i].valid);
        page_put(page, "%s%s\n", has_base ? "<td>" : "", has_base ? change : "");
    }
    page_put(page, "</table>\n");
}

static void put_count_line(struct page *page, const struct summary_count *count)
{
    if (count->text[0] != '\0')
        page_put(page, "<li><strong>%s:</strong> %s\n", count->title, count->text);
}

static void put_count_list(struct page *page, const struct diff *diff)
{
    struct summary_count counts[SUMMARY_COUNTS];
    const struct diff_totals *totals = &diff->totals;
    uint64_t removed = totals->removed_covered + totals->removed_missed;
    summary_counts(counts, diff);
    page_put(page, "<ul class=counts>\n");
    for (int i = 0; i < SUMMARY_PATCH; i++)
        put_count_line(page, &counts[i]);
    if (removed != 0) {
        page_put(page, "<li><strong>Removed:</strong> ");
        html_count(&page->text, removed, "line");
        page_put(page, ", of which %" PRIu64 " %s covered\n", totals->removed_covered,
                 totals->removed_covered == 1 ? "was" : "were");
    }
    put_count_line(page, &counts[SUMMARY_PATCH]);
    page_put(page, "</ul>\n");
}

/* What a reviewer must look at first. */
static uint64_t weight_of_file(const struct change_file *file)
{
    return file->lines[DIFF_LOST] + file->lines[DIFF_NEW_MISSED] + file->outcomes[DIFF_LOST] +
           file->outcomes[DIFF_NEW_MISSED] + (file->patch_owed - file->patch_covered);
}

ORDER(order_by_weight, struct change_file *const,
      BY_ORDER(number_order(weight_of_file(*b), weight_of_file(*a)))
          BY_ORDER((*a > *b) - (*a < *b)))

static void put_count_cell(struct page *page, uint64_t count)
{
    page_put(page, "<td>");
    if (count != 0)
        html_number(&page->text, count);
}

static void put_file_row(struct page *page, const struct diff *diff, const struct change_file *file)
{
    page_put(page, "<tr><th scope=row>");
    put_file_link(page, file);
    if (file->file == NULL)
        page_put(page, " <small>gone</small>");
    if (diff->base_name.len != 0) {
        put_count_cell(page, file->lines[DIFF_LOST]);
        put_count_cell(page, file->lines[DIFF_NEW_MISSED]);
        put_count_cell(page, file->lines[DIFF_GAINED]);
        put_count_cell(page, file->lines[DIFF_NEW_COVERED]);
        put_count_cell(page, file->outcomes[DIFF_LOST] + file->outcomes[DIFF_NEW_MISSED]);
    }
    if (diff->patch_name.len != 0) {
        put_count_cell(page, file->patch_owed);
        put_count_cell(page, file->patch_owed - file->patch_covered);
    }
    page_put(page, "\n");
}

static bool put_file_table(struct page *page, const struct changes *c, struct err *err)
{
    const struct change_file **files =
        ARENA_NEW(c->scratch, const struct change_file *, c->file_count, err);
    if (files == NULL)
        return false;
    page_put(page, "<h2>Files</h2>\n");
    if (c->file_count == 0) {
        page_put(page, "<p>Nothing changed.</p>\n");
        return true;
    }
    for (uint32_t i = 0; i < c->file_count; i++)
        files[i] = &c->files[i];
    qsort(files, c->file_count, sizeof(const struct change_file *), order_by_weight);
    page_open_table(page, "Files", " class=changed");
    page_put(page, "<th scope=col>File");
    if (c->diff->base_name.len != 0)
        page_put(page, "<th scope=col>Lost<th scope=col>New, missed<th scope=col>Gained"
                       "<th scope=col>New, covered<th scope=col>Outcomes lost, or new and missed");
    if (c->diff->patch_name.len != 0)
        page_put(page, "<th scope=col>In the patch<th scope=col>of them missed");
    page_put(page, "\n<tbody>\n");
    for (uint32_t i = 0; i < c->file_count && i < FILES_MAX; i++)
        put_file_row(page, c->diff, files[i]);
    page_put(page, "</table></div>\n");
    put_more_in_json(page, c->file_count, FILES_MAX, "file");
    return true;
}

static bool write_overview(const struct changes *c, struct err *err)
{
    struct page page;
    begin_index(&page, c, change_overview(c), "What changed");
    put_facts(&page, c);
    put_gate_table(&page, c->diff);
    put_totals_part(&page, c->diff);
    put_count_list(&page, c->diff);
    return put_file_table(&page, c, err) && page_end(&page, NULL, err);
}

/* --- lists of lines --------------------------------------------------------------------------- */

struct change_listing {
    struct page page;
    const struct changes *c;
    enum change_list list;
    uint64_t runs; /* so far */
};

static bool is_in_list(const struct change_listing *l, const struct diff_line *line)
{
    return change_list_has(l->list, l->c->diff, line);
}

/* Is it about the line itself, not only about its outcomes? */
static bool is_whole_line(const struct diff_line *line)
{
    return line->state == DIFF_LOST || line->state == DIFF_NEW_MISSED ||
           line->state == DIFF_GAINED || (line->in_patch && !diff_state_is_covered(line->state));
}

static void put_excerpt(struct change_listing *l, const struct change_file *file, uint32_t number)
{
    const struct source_place place = {l->c->job->sources, file->package, file->path};
    struct str line = str_trim(source_text_line(&place, number), " \t\r\f\v");
    struct str shown = source_text_start(line, TEXT_MAX);
    if (shown.len != 0)
        page_put(&l->page, " <code>%.*s</code>%s", STR_ARGS(shown),
                 shown.len < line.len ? "\xE2\x80\xA6" : "");
}

static void put_run_item(struct change_listing *l, const struct change_file *file, uint32_t first,
                         uint32_t last)
{
    const struct diff_line *lines = file->file->lines;
    page_put(&l->page, "<li>");
    change_open_line(&l->page, file, &lines[first]);
    html_range(&l->page.text, lines[first].number, lines[last].number);
    page_put(&l->page, "</a>%s", is_whole_line(&lines[first]) ? "" : " branch of");
    put_excerpt(l, file, lines[first].number);
    page_put(&l->page, "\n");
}

/* Lines that follow each other, but for a few without code. */
static uint32_t run_end(const struct change_listing *l, const struct diff_file *file,
                        uint32_t first)
{
    uint32_t last = first;
    while (last + 1 < file->line_count && is_in_list(l, &file->lines[last + 1]) &&
           is_whole_line(&file->lines[last + 1]) == is_whole_line(&file->lines[first]) &&
           file->lines[last + 1].number - file->lines[last].number <= GAP_MOST + 1)
        last++;
    return last;
}

static void put_file_lines(struct change_listing *l, const struct change_file *file)
{
    struct page *page = &l->page;
    bool has_heading = false;
    for (uint32_t i = 0, last; file->file != NULL && i < file->file->line_count; i = last + 1) {
        last = i;
        if (!is_in_list(l, &file->file->lines[i]))
            continue;
        last = run_end(l, file->file, i);
        if (++l->runs > RUNS_MAX)
            continue;
        if (!has_heading) {
            page_put(page, "<h2>");
            put_file_link(page, file);
            page_put(page, "</h2>\n<ul class=lines>\n");
        }
        has_heading = true;
        put_run_item(l, file, i, last);
    }
    if (has_heading)
        page_put(page, "</ul>\n");
}

static bool write_list(const struct changes *c, enum change_list list, struct err *err)
{
    static const struct {
        const char *title, *about, *none;
    } texts[] = {
        [CHANGE_LOST] = {"Lost",
                         "Lines and branch outcomes that BASE covered and that are no longer "
                         "covered.",
                         "Nothing was lost."},
        [CHANGE_NEW] = {"New and missed",
                        "Lines and branch outcomes that are new, or in the patch, and are not "
                        "covered.",
                        "Nothing new is missed."},
        [CHANGE_GAINED] = {"Gained",
                           "Lines and branch outcomes that BASE missed and that are covered now.",
                           "Nothing was gained."},
    };
    _Static_assert(ARRAY_LEN(texts) == CHANGE_LIST_COUNT, "texts for each");
    struct change_listing l = {.c = c, .list = list};
    begin_index(&l.page, c, change_list_page(list),
                c->diff->base_name.len != 0 ? texts[list].title : "Missed in the patch");
    page_put(&l.page, "<p class=of>%s</p>\n</header>\n<main id=main>\n", texts[list].about);
    for (uint32_t i = 0; i < c->file_count; i++)
        put_file_lines(&l, &c->files[i]);
    if (l.runs == 0)
        page_put(&l.page, "<p>%s</p>\n", texts[list].none);
    put_more_in_json(&l.page, l.runs, RUNS_MAX, "place");
    return page_end(&l.page, NULL, err);
}

/* --- methods ---------------------------------------------------------------------------------- */

/* Of all sections that have one. */
static bool list_section_methods(struct list *methods, const struct changes *c, struct err *err)
{
    for (uint32_t i = 0; i < c->file_count; i++)
        for (uint32_t k = 0; k < c->files[i].section_count; k++) {
            if (c->files[i].sections[k].method.name.len == 0)
                continue;
            const struct diff_method **method = list_add(methods, sizeof *method, c->scratch, err);
            if (method == NULL)
                return false;
            *method = &c->files[i].sections[k].method;
        }
    return methods_sort(methods->items, methods->count, c->scratch, err);
}

ORDER(order_change_files, struct change_file, BY(package) BY(path))

static void put_changed_method(struct page *page, const struct changes *c,
                               const struct diff_method *method)
{
    const struct change_file key = {.package = method->package, .path = method->file};
    const struct change_file *file =
        sorted_find(&key, c->files, c->file_count, sizeof key, order_change_files);
    /* A section begins with its method. */
    const struct diff_section *section = (const struct diff_section *)(const void *)method;
    struct method_lines lines = method_lines(method);
    page_put(page, "<tr><th scope=row>");
    change_open_section(page, file, (uint32_t)(section - file->sections));
    change_put_name(&page->text, method);
    page_put(page, "</a>");
    if (method->display_from.len != 0)
        page_put(page, " <small>was %.*s</small>", STR_ARGS(method->display_from));
    if (c->diff->base_name.len != 0 && !c->diff->by_line)
        page_put(page, "<td>%s", diff_kind_text(method->kind));
    put_count_cell(page, lines.covered);
    put_count_cell(page, lines.missed);
    if (c->diff->base_name.len != 0) {
        put_count_cell(page, method->kind != DIFF_REMOVED ? method->lines[DIFF_LOST] : 0);
        put_count_cell(page, method->kind != DIFF_REMOVED ? method->lines[DIFF_GAINED] : 0);
    }
    page_put(page, "\n");
}

static bool write_methods_page(const struct changes *c, struct err *err)
{
    struct page page;
    struct list methods = {.items = NULL};
    bool has_base = c->diff->base_name.len != 0;
    begin_index(&page, c, CHANGE_METHODS, "Methods");
    page_put(&page,
             "<p class=of>Those that need tests come first.</p>\n</header>\n<main id=main>\n");
    if (!list_section_methods(&methods, c, err))
        return false;
    if (methods.count == 0)
        page_put(&page, "<p>No method changed.</p>\n");
    if (methods.count != 0) {
        page_open_table(&page, "Methods", " class=changed");
        page_put(&page,
                 "<th scope=col>Method%s<th scope=col>Lines covered<th scope=col>missed%s\n"
                 "<tbody>\n",
                 has_base && !c->diff->by_line ? "<th scope=col>Change" : "",
                 has_base ? "<th scope=col>lost<th scope=col>gained" : "");
        for (uint32_t i = 0; i < methods.count && i < METHODS_MAX; i++)
            put_changed_method(&page, c, ((const struct diff_method **)methods.items)[i]);
        page_put(&page, "</table></div>\n");
    }
    put_more_in_json(&page, methods.count, METHODS_MAX, "method");
    return page_end(&page, NULL, err);
}

static bool write_indexes(const struct changes *c, struct err *err)
{
    bool has_base = c->diff->base_name.len != 0;
    return write_methods_page(c, err) &&
           (!has_base || (write_list(c, CHANGE_LOST, err) && write_list(c, CHANGE_GAINED, err))) &&
           write_list(c, CHANGE_NEW, err) && write_overview(c, err);
}

/* --- all pages -------------------------------------------------------------------------------- */

/* The indexes last: what they link to is there. */
bool diff_pages_write(struct page_set *pages, struct err *err)
{
    const struct format_job *job = pages->job;
    struct changes c = {.pages = pages,
                        .job = job,
                        .diff = job->diff,
                        .is_beside = job->report != NULL,
                        .arena = job->arena,
                        .scratch = job->scratch};
    if (!changes_list_files(&c, err) || !change_pages_name(&c, err))
        return false;
    for (uint32_t i = 0; i < c.file_count; i++) {
        progress_at(job->progress, "writing pages of changes", i, c.file_count);
        if (!change_page_write(&c, &c.files[i], err))
            return false;
    }
    return write_indexes(&c, err);
}

bool diff_html_write(const struct format_job *job, struct err *err)
{
    struct page_set pages = {.job = job};
    if (!site_folder_add_assets(job->destination, err) || !diff_pages_write(&pages, err))
        return false;
    site_folder_sweep(&pages);
    return true;
}

#include "reporters/html/source_page.h"

#include "coverage/report/sentence.h"
#include "reporters/html/html_text.h"
#include "reporters/html/report_page.h"
#include "reporters/html/source_columns.h"
#include "reporters/html/test_files.h"
#include <inttypes.h>

enum {
    ITEM_ROOM = 400, /* bytes that an item of a list takes at most, but for names */
    RUNS_SHOWN =
        20, /* of a list; the others are folded, so that the source is on the first screen */
    SENTENCES_SHOWN = 6
};

struct source_writing {
    struct page page;
    struct site *site;
    const struct site_file *file;
    struct source_place place;
    struct source_lines lines;
    struct source_columns columns;
    struct str test_file; /* test_files.h; empty if there is none */
    size_t page_max;      /* bytes of the page before its columns */
    struct err *err;
};

/* Is there room for another item of a list? */
static bool has_item_room(const struct source_writing *w)
{
    return w->page.text.len + ITEM_ROOM < w->page_max;
}

static void put_more_below(struct source_writing *w, uint32_t count)
{
    page_put(&w->page, "and %u more, marked below", count);
}

/* Folds what follows: "and 12 more". */
static void open_fold(struct source_writing *w, uint32_t count)
{
    page_put(&w->page, "<details><summary>and %u more</summary>", count);
}

/* --- what was missed -------------------------------------------------------------------------- */

static void put_range_link(struct page *page, uint32_t first, uint32_t last)
{
    page_put(page, "<a href=#L%u>", first);
    html_range(&page->text, first, last);
    page_put(page, "</a> ");
}

/* "50-60 [GeneratedCode]" of an excluded run. */
static bool put_run_reason(struct source_writing *w, const struct line_run *run)
{
    struct str reason;
    if (run->state != LINES_EXCLUDED)
        return true;
    if (!reason_text(&reason, run->reason, w->site->scratch, w->err))
        return false;
    page_put(&w->page, "%.*s; ", STR_ARGS(reason));
    return true;
}

static uint32_t count_line_runs(const struct source_lines *lines, enum run_state state,
                                uint32_t *line_count)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lines->run_count; i++) {
        count += lines->runs[i].state == state;
        *line_count += lines->runs[i].state == state ? lines->runs[i].line_count : 0;
    }
    return count;
}

static bool put_run_links(struct source_writing *w, enum run_state state, uint32_t count)
{
    uint32_t put = 0;
    for (uint32_t i = 0; i < w->lines.run_count && put < count; i++) {
        const struct line_run *run = &w->lines.runs[i];
        if (run->state != state)
            continue;
        if (!has_item_room(w)) {
            put_more_below(w, count - put);
            break;
        }
        if (put == RUNS_SHOWN)
            open_fold(w, count - put);
        put_range_link(&w->page, run->first, run->last);
        if (!put_run_reason(w, run))
            return false;
        put++;
    }
    page_put(&w->page, "%s", put > RUNS_SHOWN ? "</details>" : "");
    return true;
}

static bool put_excluded_lines(struct source_writing *w)
{
    uint32_t line_count = 0;
    uint32_t count = count_line_runs(&w->lines, LINES_EXCLUDED, &line_count);
    if (count == 0)
        return true;
    page_put(&w->page, "<div class=runs><strong>Excluded:</strong> ");
    bool ok = put_run_links(w, LINES_EXCLUDED, count);
    page_put(&w->page, "</div>\n");
    return ok;
}

static void begin_item(struct source_writing *w, uint32_t first, uint32_t last)
{
    page_put(&w->page, "<li>");
    put_range_link(&w->page, first, last);
}

/* "`a > b` was never false" */
static bool put_condition_item(struct source_writing *w, uint32_t line,
                               const struct report_condition *condition)
{
    struct lacking_words words;
    if (!condition_words(&words, condition, &w->place, &code_in_html, w->site->scratch, w->err))
        return false;
    begin_item(w, line, line);
    page_put(&w->page, "%s\n", words.whole.text);
    return true;
}

/* "`return 1;` did not run" */
static bool put_missed_text_item(struct source_writing *w, uint32_t line,
                                 const struct column_range *range)
{
    struct lacking_words words;
    if (!missed_text_words(&words, range, line, &w->place, &code_in_html, w->site->scratch, w->err))
        return false;
    begin_item(w, line, line);
    page_put(&w->page, "%s\n", words.whole.text);
    return true;
}

static void put_why_item(struct source_writing *w, const struct why_run *run)
{
    begin_item(w, run->first, run->last);
    condition_put_why(&w->page.text, run->why, run->first, &w->place, &code_in_html);
    page_put(&w->page, "\n");
}

static uint32_t count_sentences(const struct source_lines *lines)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lines->count; i++) {
        count += lines->lines[i]->missed_count;
        for (uint32_t c = 0; c < lines->lines[i]->condition_count; c++)
            count += report_condition_lacks(lines->lines[i], &lines->lines[i]->conditions[c]);
    }
    return count;
}

static void open_sentences(struct source_writing *w, const char *class)
{
    page_put(&w->page, "<ul class=%s>\n", class);
}

/* After `put` of `count` sentences: is there room for one more? */
static bool next_sentence(struct source_writing *w, uint32_t put, uint32_t count)
{
    if (!has_item_room(w))
        return false;
    if (put == SENTENCES_SHOWN) {
        page_put(&w->page, "</ul>\n");
        open_fold(w, count - put);
        open_sentences(w, "conditions");
    }
    return true;
}

/* `put` of `count` sentences found room. */
static void close_sentences(struct source_writing *w, uint32_t put, uint32_t count)
{
    if (put < count) {
        page_put(&w->page, "<li>");
        put_more_below(w, count - put);
    }
    page_put(&w->page, "</ul>");
}

/* Why lines did not run: behind the list of them, folded. */
static void put_why_list(struct source_writing *w)
{
    uint32_t count = w->lines.why_count, put = 0;
    if (count == 0 || !has_item_room(w))
        return;
    page_put(&w->page, " <details class=why><summary>why</summary>");
    open_sentences(w, "whys");
    for (; put < count && has_item_room(w); put++)
        put_why_item(w, &w->lines.whys[put]);
    close_sentences(w, put, count);
    page_put(&w->page, "</details>");
}

/* Of lines that ran in part. */
static bool put_sentences(struct source_writing *w)
{
    uint32_t count = count_sentences(&w->lines), put = 0;
    if (count == 0)
        return true;
    open_sentences(w, "conditions");
    for (uint32_t i = 0; i < w->lines.count; i++) {
        const struct report_line *line = w->lines.lines[i];
        for (uint32_t c = 0; c < line->condition_count; c++)
            if (report_condition_lacks(line, &line->conditions[c]) &&
                next_sentence(w, put, count)) {
                if (!put_condition_item(w, line->number, &line->conditions[c]))
                    return false;
                put++;
            }
        for (uint32_t k = 0; k < line->missed_count && next_sentence(w, put, count); k++, put++)
            if (!put_missed_text_item(w, line->number, &line->missed[k]))
                return false;
    }
    close_sentences(w, put, count);
    page_put(&w->page, put > SENTENCES_SHOWN ? "</details>\n" : "\n");
    return true;
}

static bool put_missed_lines(struct source_writing *w)
{
    uint32_t line_count = 0;
    uint32_t count = count_line_runs(&w->lines, LINES_MISSED, &line_count);
    if (count == 0)
        return true;
    page_put(&w->page, "<div class=runs><strong>");
    sentence_of_missed_lines(&w->page.text, line_count, w->file->source.package->not_loaded);
    page_put(&w->page, ":</strong> ");
    if (!put_run_links(w, LINES_MISSED, count))
        return false;
    put_why_list(w);
    page_put(&w->page, "</div>\n");
    return true;
}

static bool put_missed_section(struct source_writing *w)
{
    if (w->lines.run_count == 0)
        return true;
    page_put(&w->page, "<section class=missed aria-label=\"What was missed\">\n");
    if (!put_missed_lines(w) || !put_sentences(w) || !put_excluded_lines(w))
        return false;
    page_put(&w->page, "</section>\n");
    return true;
}

/* --- methods ---------------------------------------------------------------------------------- */

static void put_share_cell(struct page *page, uint64_t covered, uint64_t valid, uint32_t miss)
{
    bool links = covered < valid && miss != 0;
    page_put(page, "<td>");
    if (links)
        page_put(page, "<a href=#L%u>", miss);
    html_percent(&page->text, covered, valid);
    page_put(page, "%s", links ? "</a>" : "");
}

static void put_method_row(struct page *page, const struct report_method *method)
{
    const struct report_totals *totals = &method->totals;
    page_put(page, "<tr><th scope=row><a href=#L%u>%.*s</a><small>%.*s</small>", method->first_line,
             STR_ARGS(method->display.name), STR_ARGS(method->display.signature));
    put_share_cell(page, totals->lines_covered, totals->lines_valid, method->first_miss);
    put_share_cell(page, totals->branches_covered, totals->branches_valid, method->first_miss);
    page_put(page, "<td>");
    if (totals->branches_covered < totals->branches_valid)
        html_number(&page->text, totals->branches_valid - totals->branches_covered);
    page_put(page, "<td>%" PRIu64 "\n", totals->complexity);
}

/* Bytes that a method's row may take. */
static size_t method_room(const struct report_file_method *owned)
{
    const struct fact_display *display = &owned->method->display;
    return ITEM_ROOM + 6 * (display->name.len + display->signature.len);
}

static bool put_method_table(struct source_writing *w)
{
    uint32_t count = 0, put = 0;
    struct page *page = &w->page;
    struct report_file_method *methods =
        report_file_methods(&count, &w->file->source, w->site->scratch, w->err);
    if (methods == NULL)
        return false;
    if (count == 0 || !has_item_room(w))
        return true;
    page_put(page, "<details class=methods><summary>");
    html_count(&page->text, count, "method");
    page_put(page, "</summary>\n<table><thead><tr><th scope=col>Method<th scope=col>Lines<th "
                   "scope=col>Branches<th scope=col>missed<th scope=col>Complexity\n<tbody>\n");
    while (put < count && page->text.len + method_room(&methods[put]) < w->page_max)
        put_method_row(page, methods[put++].method);
    page_put(page, "</table>");
    if (put < count)
        page_put(page, "<p>and %u more", count - put);
    page_put(page, "</details>\n");
    return true;
}

/* --- the page --------------------------------------------------------------------------------- */

static void put_source_banners(struct source_writing *w)
{
    if (w->file->source.package->not_loaded)
        page_put(&w->page, "<p class=note>The assembly was never loaded, so none of its code could "
                           "run.</p>\n");
    if (w->columns.source_len != 0)
        return;
    if (w->site->sources->withheld)
        page_put(
            &w->page,
            "<p class=note>Sources are excluded from this report (<code>--no-source</code>).\n");
    else
        page_put(&w->page, "<p class=note>The source is not shown: %s.\n", sources_lack(&w->place));
}

/* What the columns leave of the page's size; without a source there is no measure. What is said of
 * tests comes on top, so that it displaces nothing. */
static size_t page_max(const struct source_columns *columns)
{
    size_t len = columns->numbers.text.len + columns->hits.text.len + columns->code.text.len;
    size_t max = columns->source_len * 5 / 2 + SOURCE_PAGE_FIXED - ITEM_ROOM;
    if (columns->source_len == 0)
        return SIZE_MAX;
    return max > len ? max - len : 0;
}

static void put_legend(struct source_writing *w)
{
    page_put(&w->page, "<p class=legend><b>0</b> did not run <i>~</i> ran in part: "
                       "<mark>not every outcome</mark>, <mark class=m>not this statement</mark> "
                       "<u>x</u> excluded");
    if (w->columns.tests.text.len != 0)
        page_put(&w->page, "; the second count is that of the tests that ran the line: "
                           "<em>" TESTS_NONE "</em> none, only other code did");
    if (w->columns.has_unknown_tests)
        page_put(&w->page, " <em>?</em> not known");
    page_put(&w->page, "</p>\n");
}

/* Where the names of the tests are, script.js must know. */
static bool put_tests_column(struct source_writing *w)
{
    struct str attributes = STR("t");
    if (w->columns.tests.text.len == 0)
        return true;
    if (w->test_file.len != 0 && !text_format(&attributes, w->site->scratch, w->err,
                                              "t data-tests=\"../%s\"", w->test_file.text))
        return false;
    return page_put_column(&w->page.text, attributes.text, &w->columns.tests, w->err);
}

static bool put_columns(struct source_writing *w)
{
    struct text *out = &w->page.text;
    struct source_columns *columns = &w->columns;
    page_put(&w->page, "<div class=code tabindex=0 role=region aria-label=Source>"
                       "<div class=columns><div class=gutter>\n");
    if (!page_put_column(out, "n", &columns->numbers, w->err) ||
        !page_put_column(out, "h", &columns->hits, w->err) || !put_tests_column(w))
        return false;
    page_put(&w->page, "</div>\n");
    return columns->source_len == 0 || page_put_column(out, "s", &columns->code, w->err);
}

bool source_page_write(struct site *site, const struct site_file *file,
                       const struct site_file *previous, const struct site_file *next,
                       struct err *err)
{
    struct source_writing w = {
        .site = site, .file = file, .place = site_place(site, file), .err = err};
    arena_reset(site->scratch);
    if (!source_lines_make(&w.lines, site->report, &file->source, site->scratch, err) ||
        !source_columns_make(&w.columns, &w.lines, site, file, site->scratch, err) ||
        !test_file_name(&w.test_file, site, file, &w.lines, err))
        return false;
    w.page_max = page_max(&w.columns);
    report_page_begin(&w.page, site, file->page, "source", file->node, previous, next);
    put_source_banners(&w);
    if (!put_missed_section(&w))
        return false;
    put_legend(&w);
    if (!put_method_table(&w) || !put_columns(&w))
        return false;
    page_put(&w.page, "</div></div>\n");
    return page_end(&w.page, NULL, err) &&
           (w.test_file.len == 0 || test_file_write(site, w.test_file, &w.lines, err));
}

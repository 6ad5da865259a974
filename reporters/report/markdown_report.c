/* A summary for people in Markdown: a step summary of GitHub Actions, or a comment for a pull
 * request.
 *
 *   <!-- ilcov report -->          a bot finds the comment to replace by this
 *   ### Coverage 79.06%
 *   | Assembly | Lines | Branches | Methods |
 *   | Gate | Result |              if there were any
 *   3 lines in 1 file are generated code, and not counted.
 *   <details> the files that miss most: how many lines, which, why, and which ran in part
 *
 * GitHub refuses a comment of 65,536 characters; each table ends early and says how much it left
 * out. */
#include <inttypes.h>

#include "coverage/diff/gate.h"
#include "coverage/report/excluded_lines.h"
#include "coverage/report/sentence.h"
#include "coverage/report/source_lines.h"
#include "coverage/report/why.h"
#include "reporters/condition_words.h"
#include "reporters/legible.h"
#include "reporters/markdown.h"
#include "reporters/report/report_formats.h"

enum {
    ASSEMBLIES_END = 20000, /* bytes: where each table ends */
    GATES_END = 28000,
    FILES_END = 60000,
    WHY_MOST = 300, /* characters of a gate's */
    WHYS_MOST = 3   /* runs of lines of a file that say why they did not run */
};

struct summary_page {
    struct text text;
    const struct format_job *job;
    uint32_t file_count, shown; /* that miss something */
    bool is_full;
    struct err *err;
};

static uint64_t missed_of_totals(const struct report_totals *totals)
{
    return totals->lines_valid - totals->lines_covered;
}

/* --- totals ----------------------------------------------------------------------------------- */

static void put_report_title(struct summary_page *page)
{
    const struct report_totals *totals = &page->job->report->totals;
    char percent[LEGIBLE_PERCENT_ROOM];
    const char *share = legible_percent(percent, totals->lines_covered, totals->lines_valid);
    text_addf(&page->text, "<!-- ilcov report -->\n### Coverage %s\n\n",
              totals->lines_valid != 0 ? share : "of no line");
}

static void put_share_cells(struct summary_page *page, const struct report_totals *totals)
{
    markdown_put_share(&page->text, totals->lines_covered, totals->lines_valid);
    markdown_put_share(&page->text, totals->branches_covered, totals->branches_valid);
    markdown_put_share(&page->text, totals->methods_covered, totals->methods_valid);
    text_add_c(&page->text, "\n");
}

static void put_assembly_rows(struct summary_page *page)
{
    const struct report *report = page->job->report;
    uint32_t shown = 0;
    text_add_c(&page->text, "| Assembly | Lines | Branches | Methods |\n"
                            "| --- | ---: | ---: | ---: |\n");
    for (bool fits = true; fits && shown < report->package_count; shown += fits) {
        const struct report_package *package = &report->packages[shown];
        size_t start = page->text.len;
        text_add_c(&page->text, "| ");
        markdown_put_code(&page->text, package->name);
        text_add_c(&page->text, package->not_loaded ? ", never loaded |" : " |");
        put_share_cells(page, &package->totals);
        fits = markdown_keep_row(&page->text, start, ASSEMBLIES_END);
    }
    if (shown < report->package_count)
        text_addf(&page->text, "| \xE2\x80\xA6 and %" PRIu32 " more |\n",
                  report->package_count - shown);
    if (report->package_count > 1) {
        text_add_c(&page->text, "| **Total** |");
        put_share_cells(page, &report->totals);
    }
    text_add_c(&page->text, "\n");
}

/* --- gates ------------------------------------------------------------------------------------ */

static void put_gate_row(struct summary_page *page, const struct gate_result *gate)
{
    text_add_c(&page->text, "| ");
    markdown_put_code(&page->text, gate->name);
    text_add_c(&page->text, gate->failed ? " | \xE2\x9D\x8C failed" : " | \xE2\x9C\x85 passed");
    if (gate->why.len != 0) {
        text_add_c(&page->text, ": ");
        markdown_put_cut(&page->text, gate->why, WHY_MOST);
    }
    text_add_c(&page->text, " |\n");
}

static void put_gate_rows(struct summary_page *page)
{
    const struct format_job *job = page->job;
    uint32_t shown = 0;
    if (job->gate_count == 0)
        return;
    text_add_c(&page->text, "| Gate | Result |\n| --- | --- |\n");
    for (bool fits = true; fits && shown < job->gate_count; shown += fits) {
        size_t start = page->text.len;
        put_gate_row(page, &job->gates[shown]);
        fits = markdown_keep_row(&page->text, start, GATES_END);
    }
    if (shown < job->gate_count)
        text_addf(&page->text, "| \xE2\x80\xA6 and %" PRIu32 " more |\n", job->gate_count - shown);
    text_add_c(&page->text, "\n");
}

/* --- generated code --------------------------------------------------------------------------- */

static void put_generated_note(struct summary_page *page)
{
    const struct report *report = page->job->report;
    struct report_left_out left_out =
        excluded_lines_count(report->generated, report->generated_count);
    if (left_out.line_count != 0)
        text_addf(
            &page->text, "%" PRIu64 " %s in %" PRIu64 " %s generated code, and not counted.\n\n",
            left_out.line_count, left_out.line_count == 1 ? "line" : "lines", left_out.file_count,
            left_out.line_count == 1   ? "file is"
            : left_out.file_count == 1 ? "file are"
                                       : "files are");
}

/* --- files ------------------------------------------------------------------------------------ */

static bool count_missing_files(uint32_t *out, const struct summary_page *page)
{
    struct report_files all;
    if (!report_files_list(&all, page->job->report, page->job->arena, page->err))
        return false;
    for (uint32_t i = 0; i < all.count; i++)
        *out += all.files[i].first_miss != 0;
    return true;
}

static void put_run_ranges(struct summary_page *page, const struct source_lines *lines,
                           enum run_state state)
{
    struct markdown_ranges ranges = {.text = &page->text};
    for (uint32_t i = 0; i < lines->run_count; i++)
        if (lines->runs[i].state == state)
            markdown_put_range(&ranges, lines->runs[i].first, lines->runs[i].last);
    markdown_end_ranges(&ranges);
}

/* "12–15: line 11 never completed: it threw or did not return", one below the other: of the first
 * runs of lines for which that is known. The words have no text of the source. */
static void put_why_breaks(struct summary_page *page, const struct source_lines *lines)
{
    struct text *text = &page->text;
    for (uint32_t i = 0; i < lines->why_count && i < WHYS_MOST; i++) {
        const struct why_run *run = &lines->whys[i];
        struct markdown_ranges range = {.text = text};
        text_add_c(text, "<br>");
        markdown_put_range(&range, run->first, run->last);
        text_add_c(text, ": ");
        condition_put_why(text, run->why, run->first, NULL, NULL);
    }
    if (lines->why_count > WHYS_MOST)
        text_addf(text, "<br>\xE2\x80\xA6 and %" PRIu32 " more", lines->why_count - WHYS_MOST);
}

static bool put_missed_file(struct summary_page *page, const struct report_file *file)
{
    struct source_lines lines;
    arena_reset(page->job->scratch);
    if (!source_lines_make(&lines, page->job->report, file, page->job->scratch, page->err))
        return false;
    text_add_c(&page->text, "| ");
    markdown_put_code(&page->text, file->path);
    text_addf(&page->text, " | %" PRIu64 " of %" PRIu64 " | ", missed_of_totals(&file->totals),
              file->totals.lines_valid);
    put_run_ranges(page, &lines, LINES_MISSED);
    put_why_breaks(page, &lines);
    text_add_c(&page->text, " | ");
    put_run_ranges(page, &lines, LINES_PARTIAL);
    text_add_c(&page->text, " |\n");
    return true;
}

void *markdown_open(const struct format_job *job, struct err *err)
{
    struct summary_page *page = ARENA_NEW(job->arena, struct summary_page, 1, err);
    if (page == NULL)
        return NULL;
    *page = (struct summary_page){.job = job, .err = err};
    page->text = text_in(job->arena);
    put_report_title(page);
    put_assembly_rows(page);
    put_gate_rows(page);
    put_generated_note(page);
    if (!count_missing_files(&page->file_count, page))
        return NULL;
    if (page->file_count != 0)
        markdown_open_table(
            &page->text, page->file_count, "What was missed",
            "| File | Missed | Lines | Ran in part |\n| --- | ---: | --- | --- |\n");
    return page;
}

/* As many as fit. */
bool markdown_take(void *writer, const struct report_file *files, uint32_t count, struct err *err)
{
    struct summary_page *page = writer;
    page->err = err;
    for (uint32_t i = 0; i < count && !page->is_full; i++) {
        size_t start = page->text.len;
        if (files[i].first_miss == 0)
            continue;
        if (!put_missed_file(page, &files[i]))
            return false;
        page->is_full = !markdown_keep_row(&page->text, start, FILES_END);
        page->shown += !page->is_full;
    }
    return true;
}

bool markdown_close(void *writer, struct err *err)
{
    struct summary_page *page = writer;
    uint32_t left = page->file_count - page->shown;
    struct str text;
    if (page->file_count != 0)
        markdown_close_table(&page->text, left, left == 1 ? "file" : "files");
    if (!text_take(&text, &page->text, err))
        return false;
    (void)fwrite(text.text, 1, text.len, page->job->destination->file);
    return true;
}

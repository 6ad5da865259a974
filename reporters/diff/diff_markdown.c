/* A comment for a pull request, in GitHub's Markdown, which GitLab, Azure DevOps and Gitea read
 * too:
 *
 *   <!-- ilcov diff -->            a bot finds the comment to replace by this
 *   ### Coverage 80.00% (-5.00)
 *   Base `base.ilcov` ...
 *   | | Base | Head | Change |
 *   **Patch** 66.66% of 3 lines covered, 1 missed
 *   <details> a table of files: line numbers by rule
 *   <details> a table of methods
 *
 * GitHub refuses a comment of 65,536 characters. The limit here is in bytes, which are never fewer,
 * and leaves a margin; each table ends early and says how much it left out. */
#include <inttypes.h>
#include <string.h>

#include "reporters/diff/diff_formats.h"
#include "reporters/diff/findings.h"
#include "reporters/diff/methods.h"
#include "reporters/diff/summary.h"
#include "reporters/legible.h"
#include "reporters/markdown.h"

enum {
    FILES_END = 36000, /* bytes: where each table ends */
    METHODS_END = 60000,
    NOTE_MOST = 500
};

struct comment_page {
    struct text text;
    const struct diff *diff;
    struct arena *arena;
    struct err *err;
};

/* --- text ------------------------------------------------------------------------------------- */

static void put_markdown(struct comment_page *page, const char *text)
{
    text_add_c(&page->text, text);
}

/* --- totals ----------------------------------------------------------------------------------- */

static void put_comment_title(struct comment_page *page)
{
    struct summary_row rows[SUMMARY_ROWS];
    char percent[LEGIBLE_PERCENT_ROOM], change[SUMMARY_ROOM];
    summary_rows(rows, &page->diff->totals);
    summary_change(change, &rows[0]);
    text_addf(&page->text, "<!-- ilcov diff -->\n### Coverage %s",
              legible_percent(percent, rows[0].covered, rows[0].valid));
    if (page->diff->base_name.len != 0 && change[0] != '\0')
        text_addf(&page->text, " (%s)", change);
    put_markdown(page, "\n\n");
}

static void put_side_name(struct comment_page *page, const char *title, struct str name,
                          struct str about)
{
    if (name.len == 0)
        return;
    text_addf(&page->text, "%s ", title);
    markdown_put_code(&page->text, name);
    if (about.len != 0) {
        put_markdown(page, ": ");
        markdown_put_cut(&page->text, about, MARKDOWN_NAME_MOST);
    }
    put_markdown(page, "  \n");
}

static void put_comment_header(struct comment_page *page)
{
    const struct diff *diff = page->diff;
    put_comment_title(page);
    put_side_name(page, "Base", diff->base_name, diff->base_about);
    put_side_name(page, "Head", diff->head_name, diff->head_about);
    put_side_name(page, "Patch", diff->patch_name, STR(""));
    if (diff->by_line)
        put_markdown(page,
                     "The base is a report of another tool: lines are compared by number.  \n");
    if (diff->note.len != 0) {
        put_markdown(page, "**Note** ");
        markdown_put_cut(&page->text, diff->note, NOTE_MOST);
        put_markdown(page, "\n");
    }
    put_markdown(page, "\n");
}

static void put_summary(struct comment_page *page)
{
    bool has_base = page->diff->base_name.len != 0;
    struct summary_row rows[SUMMARY_ROWS];
    summary_rows(rows, &page->diff->totals);
    put_markdown(page, has_base ? "| | Base | Head | Change |\n| --- | ---: | ---: | ---: |\n"
                                : "| | Head |\n| --- | ---: |\n");
    for (int i = 0; i < SUMMARY_ROWS; i++) {
        char change[SUMMARY_ROOM];
        summary_change(change, &rows[i]);
        text_addf(&page->text, "| %s |", rows[i].title);
        if (has_base)
            markdown_put_share(&page->text, rows[i].base_covered, rows[i].base_valid);
        markdown_put_share(&page->text, rows[i].covered, rows[i].valid);
        if (has_base)
            text_addf(&page->text, " %s |", change);
        put_markdown(page, "\n");
    }
    put_markdown(page, "\n");
}

static void put_count_words(struct comment_page *page)
{
    struct summary_count counts[SUMMARY_COUNTS];
    summary_counts(counts, page->diff);
    for (int i = 0; i < SUMMARY_COUNTS; i++) {
        const struct summary_count *count = &counts[(i + SUMMARY_PATCH) % SUMMARY_COUNTS];
        if (count->text[0] != '\0')
            text_addf(&page->text, "**%s** %s  \n", count->title, count->text);
    }
    put_markdown(page, "\n");
}

/* --- files ------------------------------------------------------------------------------------ */

/* The columns of the table. Empty columns are not shown; both rules about branches share one. */
enum {
    COLUMNS = 4
};

static int column_of(enum finding_rule rule)
{
    int column = (int)rule;
    return column < COLUMNS ? column : COLUMNS - 1;
}

static bool shows_column(const struct findings *findings, int column)
{
    uint32_t lines = 0;
    for (int rule = 0; rule < FINDING_RULES; rule++)
        if (column_of((enum finding_rule)rule) == column)
            lines += findings->lines[rule];
    return lines != 0;
}

static void put_finding_ranges(struct comment_page *page, const struct finding *items,
                               uint32_t count, int column)
{
    struct markdown_ranges ranges = {.text = &page->text};
    for (uint32_t i = 0; i < count; i++)
        if (column_of(items[i].rule) == column)
            markdown_put_range(&ranges, finding_first_line(&items[i]),
                               finding_last_line(&items[i]));
    markdown_end_ranges(&ranges);
}

static uint32_t runs_of_file(const struct findings *findings, uint32_t first)
{
    uint32_t end = first;
    while (end < findings->count && findings->items[end].file == findings->items[first].file)
        end++;
    return end - first;
}

static void put_findings_row(struct comment_page *page, const struct findings *findings,
                             uint32_t first, uint32_t count)
{
    const struct finding *items = &findings->items[first];
    put_markdown(page, "| ");
    markdown_put_code(&page->text, items->file->path);
    put_markdown(page, " |");
    for (int column = 0; column < COLUMNS; column++) {
        if (!shows_column(findings, column))
            continue;
        put_markdown(page, " ");
        put_finding_ranges(page, items, count, column);
        put_markdown(page, " |");
    }
    put_markdown(page, "\n");
}

static void put_file_titles(struct comment_page *page, const struct findings *findings,
                            uint32_t files)
{
    static const char *const titles[COLUMNS] = {"Lost", "New and missed", "Missed in the patch",
                                                "Branches"};
    markdown_open_table(&page->text, files, "Lines that need tests", "| File |");
    for (int column = 0; column < COLUMNS; column++)
        if (shows_column(findings, column))
            text_addf(&page->text, " %s |", titles[column]);
    put_markdown(page, "\n| --- |");
    for (int column = 0; column < COLUMNS; column++)
        put_markdown(page, shows_column(findings, column) ? " --- |" : "");
    put_markdown(page, "\n");
}

static void put_findings_table(struct comment_page *page, const struct findings *findings)
{
    uint32_t files = 0, left_out = 0;
    for (uint32_t i = 0; i < findings->count; i += runs_of_file(findings, i))
        files++;
    if (files == 0)
        return;
    put_file_titles(page, findings, files);
    for (uint32_t i = 0, count; i < findings->count; i += count) {
        size_t start = page->text.len;
        count = runs_of_file(findings, i);
        if (left_out == 0)
            put_findings_row(page, findings, i, count);
        if (left_out != 0 || !markdown_keep_row(&page->text, start, FILES_END))
            left_out++;
    }
    markdown_close_table(&page->text, left_out, left_out == 1 ? "file" : "files");
}

/* --- methods ---------------------------------------------------------------------------------- */

static bool put_method_name(struct comment_page *page, const struct diff_method *method)
{
    struct str name;
    if (!fact_display_text(&name, method->display, page->arena, page->err))
        return false;
    markdown_put_code(&page->text, name);
    return true;
}

static bool put_method_cells(struct comment_page *page, const struct diff_method *method)
{
    struct method_lines lines = method_lines(method);
    put_markdown(page, "| ");
    if (!put_method_name(page, method))
        return false;
    text_addf(&page->text, " | %s", diff_kind_text(method->kind));
    if (method->from.len != 0) {
        put_markdown(page, ", was ");
        markdown_put_code(&page->text, method->display_from);
    }
    text_addf(&page->text, " | %" PRIu32 "/%" PRIu32 " | ", lines.covered,
              lines.covered + lines.missed + lines.not_run);
    markdown_put_code(&page->text, method->file);
    text_addf(&page->text, " %" PRIu32 " |\n", method->first_line);
    return true;
}

static bool put_method_rows(struct comment_page *page)
{
    const struct diff_method **methods;
    uint32_t count = page->diff->method_count, shown = 0;
    if (!methods_order(&methods, page->diff, page->arena, page->err))
        return false;
    if (count == 0)
        return true;
    markdown_open_table(
        &page->text, count, "Methods",
        "| Method | Change | Lines covered | Where |\n| --- | --- | ---: | --- |\n");
    for (bool fits = true; fits && shown < count; shown += fits) {
        size_t start = page->text.len;
        if (!put_method_cells(page, methods[shown]))
            return false;
        fits = markdown_keep_row(&page->text, start, METHODS_END);
    }
    markdown_close_table(&page->text, count - shown, count - shown == 1 ? "method" : "methods");
    return true;
}

static bool make_page(struct str *out, struct comment_page *page)
{
    struct findings findings;
    if (!findings_build(&findings, page->diff, NULL, page->arena, page->err))
        return false;
    put_comment_header(page);
    put_summary(page);
    put_count_words(page);
    put_findings_table(page, &findings);
    return put_method_rows(page) && text_take(out, &page->text, page->err);
}

bool diff_markdown_write(const struct format_job *job, struct err *err)
{
    struct comment_page page = {.diff = job->diff, .arena = job->arena, .err = err};
    struct str text;
    page.text = text_in(job->arena);
    bool ok = make_page(&text, &page);
    if (ok)
        (void)fwrite(text.text, 1, text.len, job->destination->file);
    return ok;
}

/* A diff for people:
 *
 *   Coverage of head.ilcov, compared with base.ilcov
 *     base   2 runs, the last of 2026-11-20
 *     patch  main...HEAD, from merge base 1a2b3c4d
 *
 *                        Base             Head     Change
 *   Lines        85.00% 17/20     80.00% 16/20      -5.00
 *   Patch                          66.66%  2/3
 *
 *   Lines     3 lost, 1 gained
 *
 *   Methods that need tests
 *     added      2/5 lines   Shop.Order.Total(System.Boolean)  src/Order.cs:12
 *
 *   src/Order.cs (Shop.Core)
 *     lost            12    if (vip && rush)
 *                     13        return 1;
 *     new             20 +  throw new ArgumentException();
 *
 * A source line that would be wider than 100 columns is cut; names are not, because users copy
 * them. */
#include <inttypes.h>
#include <string.h>

#include "base/utf16.h"
#include "reporters/diff/diff_formats.h"
#include "reporters/diff/findings.h"
#include "reporters/diff/methods.h"
#include "reporters/diff/summary.h"
#include "reporters/legible.h"
#include "reporters/source_text.h"

enum {
    LINE_WIDTH = 100,
    SHARE_WIDTH = 24,
    LABEL_WIDTH = 13,
    NUMBER_WIDTH = 6,
    SOURCE_WIDTH = LINE_WIDTH - LABEL_WIDTH - NUMBER_WIDTH - 5,
    TAB_WIDTH = 4,
    METHODS_MOST = 20, /* of those that need tests, and of the others */
    LINES_MOST = 200,
    FILE_LINES_MOST = 40
};

struct printer {
    struct screen screen;
    const struct diff *diff;
    const struct sources *sources;
};

static void put_words(struct printer *p, const char *text)
{
    screen_put_c(&p->screen, text);
}

/* --- totals ----------------------------------------------------------------------------------- */

static void put_header_fact(struct printer *p, const char *title, struct str value)
{
    if (value.len == 0)
        return;
    (void)fprintf(p->screen.file, "  %-7s", title);
    screen_put(&p->screen, value);
    put_words(p, "\n");
}

static void put_diff_header(struct printer *p)
{
    const struct diff *diff = p->diff;
    screen_style(&p->screen, STYLE_BOLD);
    put_words(p, "Coverage of ");
    screen_put(&p->screen, diff->head_name);
    if (diff->base_name.len != 0) {
        put_words(p, ", compared with ");
        screen_put(&p->screen, diff->base_name);
    }
    screen_style(&p->screen, STYLE_PLAIN);
    put_words(p, "\n");
    put_header_fact(p, "base", diff->base_about);
    put_header_fact(p, "head", diff->head_about);
    put_header_fact(p, "patch", diff->patch_name);
    put_header_fact(p, "note", diff->note);
    if (diff->by_line)
        put_header_fact(p, "note",
                        STR("base is a report of another tool: lines are compared by number"));
}

static void put_padded_share(struct printer *p, uint64_t covered, uint64_t valid)
{
    char percent[LEGIBLE_PERCENT_ROOM], share[SUMMARY_ROOM];
    (void)snprintf(share, sizeof share, "%s %" PRIu64 "/%" PRIu64,
                   legible_percent(percent, covered, valid), covered, valid);
    (void)fprintf(p->screen.file, "%*s", SHARE_WIDTH, share);
}

static void put_change(struct printer *p, const struct summary_row *row)
{
    char change[SUMMARY_ROOM];
    summary_change(change, row);
    if (change[0] == '\0')
        return;
    screen_style(&p->screen, change[0] == '-'   ? STYLE_RED
                             : change[0] == '+' ? STYLE_GREEN
                                                : STYLE_DIM);
    (void)fprintf(p->screen.file, "%10s", change);
    screen_style(&p->screen, STYLE_PLAIN);
}

static void put_share_table(struct printer *p)
{
    const struct diff_totals *totals = &p->diff->totals;
    bool has_base = p->diff->base_name.len != 0;
    struct summary_row rows[SUMMARY_ROWS];
    summary_rows(rows, totals);
    screen_style(&p->screen, STYLE_BOLD);
    (void)fprintf(p->screen.file, "\n%-8s", "");
    if (has_base)
        (void)fprintf(p->screen.file, "%*s", SHARE_WIDTH, "Base");
    (void)fprintf(p->screen.file, "%*s", SHARE_WIDTH, "Head");
    put_words(p, has_base ? "    Change" : "");
    screen_style(&p->screen, STYLE_PLAIN);
    put_words(p, "\n");
    for (int i = 0; i < SUMMARY_ROWS; i++) {
        (void)fprintf(p->screen.file, "%-8s", rows[i].title);
        if (has_base)
            put_padded_share(p, rows[i].base_covered, rows[i].base_valid);
        put_padded_share(p, rows[i].covered, rows[i].valid);
        if (has_base)
            put_change(p, &rows[i]);
        put_words(p, "\n");
    }
}

static void put_count_row(struct printer *p, const struct summary_count *count)
{
    if (count->text[0] != '\0')
        (void)fprintf(p->screen.file, "%-10s%s\n", count->title, count->text);
}

static void put_removed(struct printer *p)
{
    const struct diff_totals *totals = &p->diff->totals;
    if (totals->removed_covered != 0 || totals->removed_missed != 0)
        (void)fprintf(p->screen.file, "%-10s%" PRIu64 " %s covered, %" PRIu64 " that %s not\n",
                      "Removed", totals->removed_covered,
                      totals->removed_covered == 1 ? "line that was" : "lines that were",
                      totals->removed_missed, totals->removed_missed == 1 ? "was" : "were");
}

static void put_count_rows(struct printer *p)
{
    struct summary_count counts[SUMMARY_COUNTS];
    summary_counts(counts, p->diff);
    put_words(p, "\n");
    for (int i = 0; i < SUMMARY_PATCH; i++)
        put_count_row(p, &counts[i]);
    if (p->diff->base_name.len != 0)
        put_removed(p);
    put_count_row(p, &counts[SUMMARY_PATCH]);
}

/* --- methods ---------------------------------------------------------------------------------- */

static enum screen_style kind_style(const struct diff_method *method)
{
    return method_wants_tests(method)     ? STYLE_RED
           : method->kind == DIFF_REMOVED ? STYLE_DIM
                                          : STYLE_PLAIN;
}

static void put_method_line(struct printer *p, const struct diff_method *method)
{
    struct method_lines lines = method_lines(method);
    char share[SUMMARY_ROOM];
    (void)snprintf(share, sizeof share, "%" PRIu32 "/%" PRIu32 " lines", lines.covered,
                   lines.covered + lines.missed + lines.not_run);
    screen_style(&p->screen, kind_style(method));
    (void)fprintf(p->screen.file, "  %-9s", diff_kind_text(method->kind));
    screen_style(&p->screen, STYLE_PLAIN);
    (void)fprintf(p->screen.file, " %13s   ", share);
    screen_put(&p->screen, method->display.type);
    put_words(p, ".");
    screen_put(&p->screen, method->display.name);
    screen_put(&p->screen, method->display.signature);
    screen_style(&p->screen, STYLE_DIM);
    put_words(p, "  ");
    screen_put(&p->screen, method->file);
    (void)fprintf(p->screen.file, ":%" PRIu32, method->first_line);
    if (method->from.len != 0) {
        put_words(p, ", was ");
        screen_put(&p->screen, method->display_from);
    }
    if (lines.not_run != 0)
        (void)fprintf(p->screen.file, ", %" PRIu32 " not run", lines.not_run);
    screen_style(&p->screen, STYLE_PLAIN);
    put_words(p, "\n");
}

static void put_method_lines(struct printer *p, const char *title,
                             const struct diff_method *const *methods, uint32_t count)
{
    if (count == 0)
        return;
    put_words(p, "\n");
    screen_put_styled(&p->screen, STYLE_BOLD, str_of(title));
    put_words(p, "\n");
    for (uint32_t i = 0; i < count && i < METHODS_MOST; i++)
        put_method_line(p, methods[i]);
    if (count > METHODS_MOST)
        (void)fprintf(p->screen.file, "  \xE2\x80\xA6 and %" PRIu32 " more\n",
                      count - METHODS_MOST);
}

static bool put_all_methods(struct printer *p, struct arena *arena, struct err *err)
{
    const struct diff_method **methods;
    if (!methods_order(&methods, p->diff, arena, err))
        return false;
    uint32_t wanting = 0, count = p->diff->method_count;
    while (wanting < count && method_wants_tests(methods[wanting]))
        wanting++;
    put_method_lines(p, "Methods that need tests", methods, wanting);
    put_method_lines(p, wanting != 0 ? "Other methods" : "Methods", methods + wanting,
                     count - wanting);
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

static const char *label_of(enum finding_rule rule)
{
    static const char *const labels[] = {"lost", "new", "patch", "branch lost", "branch"};
    _Static_assert(ARRAY_LEN(labels) == FINDING_RULES, "a label for each");
    return labels[rule];
}

static void put_cut_source(struct printer *p, struct str s)
{
    size_t column = 0;
    s = source_text_without_end(s);
    for (size_t pos = 0; pos < s.len;) {
        size_t start = pos;
        uint32_t c = utf8_next(s.text, s.len, &pos);
        size_t width = c == '\t' ? TAB_WIDTH - column % TAB_WIDTH : legible_char_width(c);
        if (column + width > SOURCE_WIDTH - (pos < s.len)) {
            put_words(p, "\xE2\x80\xA6"); /* … */
            return;
        }
        if (c == '\t')
            screen_spaces(&p->screen, width);
        else
            screen_put(&p->screen, (struct str){s.text + start, pos - start});
        column += width;
    }
}

static void put_finding_line(struct printer *p, const struct finding *finding, uint32_t index)
{
    const struct diff_file *file = finding->file;
    const struct diff_line *line = &file->lines[finding->first + index];
    screen_style(&p->screen, finding->rule < FINDING_LOST_BRANCH ? STYLE_RED : STYLE_YELLOW);
    (void)fprintf(p->screen.file, "  %-*s", LABEL_WIDTH, index == 0 ? label_of(finding->rule) : "");
    screen_style(&p->screen, STYLE_PLAIN);
    screen_style(&p->screen, STYLE_DIM);
    (void)fprintf(p->screen.file, "%*" PRIu32, NUMBER_WIDTH, line->number);
    screen_style(&p->screen, STYLE_PLAIN);
    const struct source_place place = {p->sources, file->package, file->path};
    struct str source = sources_line(&place, line->number);
    put_words(p, line->in_patch ? " +" : source.len != 0 ? "  " : "");
    put_words(p, source.len != 0 ? " " : "");
    put_cut_source(p, source);
    put_words(p, "\n");
}

/* Returns the number of lines in the findings of the file, which begin at `first`; at most `left`
 * are printed. */
static uint32_t put_file_findings(struct printer *p, const struct findings *findings,
                                  uint32_t *first, uint32_t left)
{
    const struct diff_file *file = findings->items[*first].file;
    uint32_t count = 0, most = left < FILE_LINES_MOST ? left : FILE_LINES_MOST;
    if (most != 0) {
        put_words(p, "\n");
        screen_put_styled(&p->screen, STYLE_BOLD, file->path);
        put_words(p, " (");
        screen_put(&p->screen, file->package);
        put_words(p, ")\n");
    }
    for (; *first < findings->count && findings->items[*first].file == file; ++*first)
        for (uint32_t i = 0; i < findings->items[*first].count; i++, count++)
            if (count < most)
                put_finding_line(p, &findings->items[*first], i);
    if (most != 0 && count > most)
        (void)fprintf(p->screen.file, "  \xE2\x80\xA6 and %" PRIu32 " more\n", count - most);
    return count;
}

static bool put_all_findings(struct printer *p, struct arena *arena, struct err *err)
{
    struct findings findings;
    uint32_t left = LINES_MOST, more_lines = 0, more_files = 0;
    if (!findings_build(&findings, p->diff, NULL, arena, err))
        return false;
    for (uint32_t i = 0; i < findings.count;) {
        uint32_t count = put_file_findings(p, &findings, &i, left);
        if (left == 0) {
            more_files++;
            more_lines += count;
        }
        count = count < FILE_LINES_MOST ? count : FILE_LINES_MOST;
        left -= count < left ? count : left;
    }
    if (more_files != 0)
        (void)fprintf(p->screen.file,
                      "\n\xE2\x80\xA6 and %" PRIu32 " more lines in %" PRIu32 " %s\n", more_lines,
                      more_files, more_files == 1 ? "file" : "files");
    if (findings.count != 0 && p->diff->patch_name.len != 0)
        put_words(p, "\n+ is a line of the patch\n");
    if (findings.count == 0 && !p->diff->patch_is_unknown && p->diff->missing_count == 0) {
        put_words(p, "\n");
        screen_put_styled(&p->screen, STYLE_GREEN,
                          p->diff->base_name.len != 0
                              ? STR("Nothing was lost, and nothing new is missed.")
                              : STR("Nothing of the patch is missed."));
        put_words(p, "\n");
    }
    return true;
}

bool diff_text_write(const struct format_job *job, struct err *err)
{
    struct printer printer = {
        .screen = {.file = job->destination->file, .colour = job->screen.colour},
        .diff = job->diff,
        .sources = job->sources};
    put_diff_header(&printer);
    put_share_table(&printer);
    put_count_rows(&printer);
    return put_all_methods(&printer, job->arena, err) &&
           put_all_findings(&printer, job->arena, err);
}

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

static const char bold[] = "\033[1m", dim[] = "\033[2m", plain[] = "\033[0m";
static const char red[] = "\033[31m", yellow[] = "\033[33m", green[] = "\033[32m";

struct printer {
    FILE *file;
    const struct diff *diff;
    const struct sources *sources;
    bool colour;
};

static void put(struct printer *p, const char *text)
{
    (void)fputs(text, p->file);
}

static void put_style(struct printer *p, const char *style)
{
    if (p->colour)
        put(p, style);
}

static void put_styled(struct printer *p, const char *style, const char *text)
{
    put_style(p, style);
    put(p, text);
    put_style(p, plain);
}

static void put_str(struct printer *p, struct str s)
{
    legible_put(p->file, s);
}

/* --- totals ----------------------------------------------------------------------------------- */

static void put_fact(struct printer *p, const char *title, struct str value)
{
    if (value.len == 0)
        return;
    (void)fprintf(p->file, "  %-7s", title);
    put_str(p, value);
    put(p, "\n");
}

static void put_header(struct printer *p)
{
    const struct diff *diff = p->diff;
    put_style(p, bold);
    put(p, "Coverage of ");
    put_str(p, diff->head_name);
    if (diff->base_name.len != 0) {
        put(p, ", compared with ");
        put_str(p, diff->base_name);
    }
    put_style(p, plain);
    put(p, "\n");
    put_fact(p, "base", diff->base_about);
    put_fact(p, "head", diff->head_about);
    put_fact(p, "patch", diff->patch_name);
    put_fact(p, "note", diff->note);
    if (diff->by_line)
        put_fact(p, "note", STR("base is a report of another tool: lines are compared by number"));
}

static void put_share(struct printer *p, uint64_t covered, uint64_t valid)
{
    char percent[SUMMARY_ROOM], share[SUMMARY_ROOM * 2];
    summary_percent(percent, covered, valid);
    (void)snprintf(share, sizeof share, "%s %" PRIu64 "/%" PRIu64, percent, covered, valid);
    (void)fprintf(p->file, "%*s", SHARE_WIDTH, share);
}

static void put_change(struct printer *p, const struct summary_row *row)
{
    char change[SUMMARY_ROOM];
    summary_change(change, row);
    if (change[0] == '\0')
        return;
    put_style(p, change[0] == '-' ? red : change[0] == '+' ? green : dim);
    (void)fprintf(p->file, "%10s", change);
    put_style(p, plain);
}

static void put_table(struct printer *p)
{
    const struct diff_totals *totals = &p->diff->totals;
    bool has_base = p->diff->base_name.len != 0;
    struct summary_row rows[SUMMARY_ROWS];
    summary_rows(rows, totals);
    put_style(p, bold);
    (void)fprintf(p->file, "\n%-8s", "");
    if (has_base)
        (void)fprintf(p->file, "%*s", SHARE_WIDTH, "Base");
    (void)fprintf(p->file, "%*s", SHARE_WIDTH, "Head");
    put(p, has_base ? "    Change" : "");
    put_style(p, plain);
    put(p, "\n");
    for (int i = 0; i < SUMMARY_ROWS; i++) {
        (void)fprintf(p->file, "%-8s", rows[i].title);
        if (has_base)
            put_share(p, rows[i].base_covered, rows[i].base_valid);
        put_share(p, rows[i].covered, rows[i].valid);
        if (has_base)
            put_change(p, &rows[i]);
        put(p, "\n");
    }
}

static void put_counts(struct printer *p, const char *title, const char *counts)
{
    if (counts[0] != '\0')
        (void)fprintf(p->file, "%-10s%s\n", title, counts);
}

static void put_removed(struct printer *p)
{
    const struct diff_totals *totals = &p->diff->totals;
    if (totals->removed_covered != 0 || totals->removed_missed != 0)
        (void)fprintf(p->file, "%-10s%" PRIu64 " %s covered, %" PRIu64 " that %s not\n", "Removed",
                      totals->removed_covered,
                      totals->removed_covered == 1 ? "line that was" : "lines that were",
                      totals->removed_missed, totals->removed_missed == 1 ? "was" : "were");
}

static void put_totals(struct printer *p)
{
    char counts[SUMMARY_COUNTS_ROOM];
    const struct diff_totals *totals = &p->diff->totals;
    put(p, "\n");
    if (p->diff->base_name.len != 0) {
        summary_states(counts, totals->lines);
        put_counts(p, "Lines", counts[0] != '\0' ? counts : "as before");
        summary_states(counts, totals->outcomes);
        put_counts(p, "Branches", counts);
        summary_kinds(counts, totals->methods);
        put_counts(p, "Methods", counts);
        put_removed(p);
    }
    if (p->diff->patch_name.len != 0) {
        summary_patch(counts, totals);
        put_counts(p, "Patch", counts);
    }
}

/* --- methods ---------------------------------------------------------------------------------- */

static const char *kind_style(const struct diff_method *method)
{
    return method_wants_tests(method) ? red : method->kind == DIFF_REMOVED ? dim : plain;
}

static void put_method(struct printer *p, const struct diff_method *method)
{
    struct method_lines lines = method_lines(method);
    char share[SUMMARY_ROOM];
    (void)snprintf(share, sizeof share, "%" PRIu32 "/%" PRIu32 " lines", lines.covered,
                   lines.covered + lines.missed + lines.not_run);
    put_style(p, kind_style(method));
    (void)fprintf(p->file, "  %-9s", diff_kind_text(method->kind));
    put_style(p, plain);
    (void)fprintf(p->file, " %13s   ", share);
    put_str(p, method->display.type);
    put(p, ".");
    put_str(p, method->display.name);
    put_str(p, method->display.signature);
    put_style(p, dim);
    put(p, "  ");
    put_str(p, method->file);
    (void)fprintf(p->file, ":%" PRIu32, method->first_line);
    if (method->from.len != 0) {
        put(p, ", was ");
        put_str(p, method->display_from);
    }
    if (lines.not_run != 0)
        (void)fprintf(p->file, ", %" PRIu32 " not run", lines.not_run);
    put_style(p, plain);
    put(p, "\n");
}

static void put_methods(struct printer *p, const char *title,
                        const struct diff_method *const *methods, uint32_t count)
{
    if (count == 0)
        return;
    put(p, "\n");
    put_styled(p, bold, title);
    put(p, "\n");
    for (uint32_t i = 0; i < count && i < METHODS_MOST; i++)
        put_method(p, methods[i]);
    if (count > METHODS_MOST)
        (void)fprintf(p->file, "  \xE2\x80\xA6 and %" PRIu32 " more\n", count - METHODS_MOST);
}

static bool put_all_methods(struct printer *p, struct arena *arena, struct err *err)
{
    const struct diff_method **methods;
    if (!methods_order(&methods, p->diff, arena, err))
        return false;
    uint32_t wanting = 0, count = p->diff->method_count;
    while (wanting < count && method_wants_tests(methods[wanting]))
        wanting++;
    put_methods(p, "Methods that need tests", methods, wanting);
    put_methods(p, wanting != 0 ? "Other methods" : "Methods", methods + wanting, count - wanting);
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

static const char *label_of(enum finding_rule rule)
{
    static const char *const labels[] = {"lost", "new", "patch", "branch lost", "branch"};
    _Static_assert(ARRAY_LEN(labels) == FINDING_RULES, "a label for each");
    return labels[rule];
}

static void put_source(struct printer *p, struct str s)
{
    size_t column = 0;
    while (s.len != 0 && (uint8_t)s.text[s.len - 1] <= ' ')
        s.len--;
    for (size_t pos = 0; pos < s.len;) {
        size_t start = pos;
        uint32_t c = utf8_next(s.text, s.len, &pos);
        size_t width = c == '\t' ? TAB_WIDTH - column % TAB_WIDTH : legible_char_width(c);
        if (column + width > SOURCE_WIDTH - (pos < s.len)) {
            put(p, "\xE2\x80\xA6"); /* … */
            return;
        }
        if (c == '\t')
            (void)fprintf(p->file, "%*s", (int)width, "");
        else
            put_str(p, (struct str){s.text + start, pos - start});
        column += width;
    }
}

static void put_line(struct printer *p, const struct finding *finding, uint32_t index)
{
    const struct diff_file *file = finding->file;
    const struct diff_line *line = &file->lines[finding->first + index];
    put_style(p, finding->rule < FINDING_LOST_BRANCH ? red : yellow);
    (void)fprintf(p->file, "  %-*s", LABEL_WIDTH, index == 0 ? label_of(finding->rule) : "");
    put_style(p, plain);
    put_style(p, dim);
    (void)fprintf(p->file, "%*" PRIu32, NUMBER_WIDTH, line->number);
    put_style(p, plain);
    struct str source = sources_line(p->sources, file->package, file->path, line->number);
    put(p, line->in_patch ? " +" : source.len != 0 ? "  " : "");
    put(p, source.len != 0 ? " " : "");
    put_source(p, source);
    put(p, "\n");
}

/* Returns the number of lines in the findings of the file, which begin at `first`; at most `left`
 * are printed. */
static uint32_t put_file(struct printer *p, const struct findings *findings, uint32_t *first,
                         uint32_t left)
{
    const struct diff_file *file = findings->items[*first].file;
    uint32_t count = 0, most = left < FILE_LINES_MOST ? left : FILE_LINES_MOST;
    if (most != 0) {
        put(p, "\n");
        put_style(p, bold);
        put_str(p, file->path);
        put_style(p, plain);
        put(p, " (");
        put_str(p, file->package);
        put(p, ")\n");
    }
    for (; *first < findings->count && findings->items[*first].file == file; ++*first)
        for (uint32_t i = 0; i < findings->items[*first].count; i++, count++)
            if (count < most)
                put_line(p, &findings->items[*first], i);
    if (most != 0 && count > most)
        (void)fprintf(p->file, "  \xE2\x80\xA6 and %" PRIu32 " more\n", count - most);
    return count;
}

static bool put_lines(struct printer *p, struct arena *arena, struct err *err)
{
    struct findings findings;
    uint32_t left = LINES_MOST, more_lines = 0, more_files = 0;
    if (!findings_build(&findings, p->diff, NULL, arena, err))
        return false;
    for (uint32_t i = 0; i < findings.count;) {
        uint32_t count = put_file(p, &findings, &i, left);
        if (left == 0) {
            more_files++;
            more_lines += count;
        }
        count = count < FILE_LINES_MOST ? count : FILE_LINES_MOST;
        left -= count < left ? count : left;
    }
    if (more_files != 0)
        (void)fprintf(p->file, "\n\xE2\x80\xA6 and %" PRIu32 " more lines in %" PRIu32 " %s\n",
                      more_lines, more_files, more_files == 1 ? "file" : "files");
    if (findings.count != 0 && p->diff->patch_name.len != 0)
        put(p, "\n+ is a line of the patch\n");
    if (findings.count == 0 && !p->diff->patch_is_unknown && p->diff->missing_count == 0) {
        put(p, "\n");
        put_styled(p, green,
                   p->diff->base_name.len != 0 ? "Nothing was lost, and nothing new is missed."
                                               : "Nothing of the patch is missed.");
        put(p, "\n");
    }
    return true;
}

bool diff_text_write(const struct format_job *job, struct err *err)
{
    struct printer printer = {job->destination->file, job->diff, job->sources, job->colour};
    put_header(&printer);
    put_table(&printer);
    put_totals(&printer);
    return put_all_methods(&printer, job->arena, err) && put_lines(&printer, job->arena, err);
}

#include "reporters/diff/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "reporters/legible.h"

static struct summary_row make_summary_row(const char *title, uint64_t base_covered,
                                           uint64_t base_valid,
                                           const uint64_t states[DIFF_STATE_COUNT])
{
    struct summary_row row = {title, base_covered, base_valid, 0, 0};
    row.covered = states[DIFF_KEPT] + states[DIFF_GAINED] + states[DIFF_NEW_COVERED];
    for (int i = 0; i < DIFF_STATE_COUNT; i++)
        row.valid += states[i];
    return row;
}

void summary_rows(struct summary_row rows[SUMMARY_ROWS], const struct diff_totals *totals)
{
    rows[0] = make_summary_row("Lines", totals->base.lines_covered, totals->base.lines_valid,
                               totals->lines);
    rows[1] = make_summary_row("Branches", totals->base.branches_covered,
                               totals->base.branches_valid, totals->outcomes);
    rows[2] =
        (struct summary_row){"Methods", totals->base.methods_covered, totals->base.methods_valid,
                             totals->methods_covered, totals->methods_valid};
}

void summary_change(char out[SUMMARY_ROOM], const struct summary_row *row)
{
    out[0] = '\0';
    if (row->base_valid == 0 || row->valid == 0)
        return;
    uint32_t base = number_percent_x100(row->base_covered, row->base_valid);
    uint32_t head = number_percent_x100(row->covered, row->valid);
    uint32_t change = head > base ? head - base : base - head;
    const char *sign = head > base ? "+" : head < base ? "-" : "";
    (void)snprintf(out, SUMMARY_ROOM, "%s%" PRIu32 ".%02" PRIu32, sign, change / 100, change % 100);
}

static void put_one_count(char out[SUMMARY_COUNTS_ROOM], uint64_t count, const char *what)
{
    size_t len = strlen(out);
    if (count != 0)
        (void)snprintf(out + len, SUMMARY_COUNTS_ROOM - len, "%s%" PRIu64 " %s",
                       len != 0 ? ", " : "", count, what);
}

void summary_states(char out[SUMMARY_COUNTS_ROOM], const uint64_t counts[DIFF_STATE_COUNT])
{
    static const enum diff_state order[] = {DIFF_LOST,       DIFF_GAINED,  DIFF_NEW_COVERED,
                                            DIFF_NEW_MISSED, DIFF_NOT_RUN, DIFF_CARRIED};
    out[0] = '\0';
    for (size_t i = 0; i < ARRAY_LEN(order); i++)
        put_one_count(out, counts[order[i]], diff_state_text(order[i]));
}

static void put_method_kinds(char out[SUMMARY_COUNTS_ROOM], const uint64_t counts[DIFF_KIND_COUNT])
{
    static const enum diff_kind order[] = {DIFF_EDITED, DIFF_ADDED, DIFF_MOVED, DIFF_REMOVED};
    out[0] = '\0';
    for (size_t i = 0; i < ARRAY_LEN(order); i++)
        put_one_count(out, counts[order[i]], diff_kind_text(order[i]));
}

static void put_patch(char out[SUMMARY_COUNTS_ROOM], const struct diff_totals *totals)
{
    char percent[LEGIBLE_PERCENT_ROOM];
    uint64_t lines = totals->patch_owed, branches = totals->patch_branches_owed;
    if (lines == 0) {
        (void)snprintf(out, SUMMARY_COUNTS_ROOM, "changes no measured line");
        return;
    }
    int len = snprintf(out, SUMMARY_COUNTS_ROOM, "%s of %" PRIu64 " %s covered, %" PRIu64 " missed",
                       legible_percent(percent, totals->patch_covered, lines), lines,
                       lines == 1 ? "line" : "lines", lines - totals->patch_covered);
    if (branches != 0)
        (void)snprintf(out + len, SUMMARY_COUNTS_ROOM - (size_t)len, "; %s of %" PRIu64 " %s",
                       legible_percent(percent, totals->patch_branches_covered, branches), branches,
                       branches == 1 ? "branch" : "branches");
}

void summary_counts(struct summary_count counts[SUMMARY_COUNTS], const struct diff *diff)
{
    static const char *const titles[] = {"Lines", "Branches", "Methods", "Patch"};
    for (int i = 0; i < SUMMARY_COUNTS; i++)
        counts[i] = (struct summary_count){.title = titles[i]};
    if (diff->base_name.len != 0) {
        char *lines = counts[SUMMARY_LINES].text;
        summary_states(lines, diff->totals.lines);
        if (lines[0] == '\0')
            (void)snprintf(lines, SUMMARY_COUNTS_ROOM, "as before");
        summary_states(counts[SUMMARY_BRANCHES].text, diff->totals.outcomes);
        put_method_kinds(counts[SUMMARY_METHODS].text, diff->totals.methods);
    }
    if (diff->patch_name.len != 0)
        put_patch(counts[SUMMARY_PATCH].text, &diff->totals);
}

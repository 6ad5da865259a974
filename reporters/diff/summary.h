/* summary.h - the numbers at the top of a diff, as text: the same in all formats for people. */
#pragma once

#include "coverage/diff/diff.h"

enum {
    SUMMARY_ROWS = 3, /* lines, branches, methods */
    SUMMARY_ROOM = 64,
    SUMMARY_COUNTS_ROOM = 512
};

struct summary_row {
    const char *title;
    uint64_t base_covered, base_valid;
    uint64_t covered, valid; /* of HEAD; carried counts do not cover */
};

void summary_rows(struct summary_row rows[SUMMARY_ROWS], const struct diff_totals *totals);

/* The difference of the shares in percent: "+1.25", "-5.00", "0.00"; "" if a side has
 * nothing. */
void summary_change(char out[SUMMARY_ROOM], const struct summary_row *row);

/* "3 lost, 1 gained": without kept and still missed lines; "" if there are no others. */
void summary_states(char out[SUMMARY_COUNTS_ROOM], const uint64_t counts[DIFF_STATE_COUNT]);

enum summary_title {
    SUMMARY_LINES,
    SUMMARY_BRANCHES,
    SUMMARY_METHODS,
    SUMMARY_PATCH,
    SUMMARY_COUNTS
};

/* What happened: "Lines" "3 lost, 1 gained"; "Methods" "2 edited, 1 added"; "Patch" "66.66% of 3
 * lines covered, 1 missed; 50.00% of 2 branches". The text is empty if there is nothing to say. */
struct summary_count {
    const char *title;
    char text[SUMMARY_COUNTS_ROOM];
};
void summary_counts(struct summary_count counts[SUMMARY_COUNTS], const struct diff *diff);

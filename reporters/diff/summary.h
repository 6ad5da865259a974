/* summary.h - the numbers at the top of a diff, as text: the same in all formats for people. */
#ifndef ILCOV_REPORTERS_DIFF_SUMMARY_H
#define ILCOV_REPORTERS_DIFF_SUMMARY_H

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

/* "83.33%", rounded down; "-" if nothing is valid. */
void summary_percent(char out[SUMMARY_ROOM], uint64_t covered, uint64_t valid);

/* The difference of what summary_percent shows: "+1.25", "-5.00", "0.00"; "" if a side has
 * nothing. */
void summary_change(char out[SUMMARY_ROOM], const struct summary_row *row);

/* "3 lost, 1 gained": without kept and still missed lines; "" if there are no others. */
void summary_states(char out[SUMMARY_COUNTS_ROOM], const uint64_t counts[DIFF_STATE_COUNT]);
/* "2 edited, 1 added", without unchanged methods. */
void summary_kinds(char out[SUMMARY_COUNTS_ROOM], const uint64_t counts[DIFF_KIND_COUNT]);

/* "66.66% of 3 lines covered, 1 missed; 50.00% of 2 branches", or "changes no measured line". */
void summary_patch(char out[SUMMARY_COUNTS_ROOM], const struct diff_totals *totals);

#endif

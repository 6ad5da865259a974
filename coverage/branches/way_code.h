/* way_code.h - what the code on the way to a dispatch does: does it look at the same value as
 * another dispatch?
 * Units:  a way goes from the start of block `first` to the branch at the end of `last`, both
 *         included; the blocks between have one way out.
 * Pure:   used by dispatch.c. */
#ifndef ILCOV_COVERAGE_BRANCHES_WAY_CODE_H
#define ILCOV_COVERAGE_BRANCHES_WAY_CODE_H

#include "coverage/branches/rules/board.h"

/* Does a hidden point begin on the way? */
bool way_code_begins(const struct point_map *map, uint32_t first, uint32_t last);

/* Does the way load a variable that the dispatch at the end of block `member` loads or stores? */
bool way_code_shares_value(const struct board *board, uint32_t first, uint32_t last,
                           uint32_t member);

/* Several tests of a switch may lead to one guard. Then the compiler notes in a variable of its own
 * which one did, and goes on there if the guard says no. Does block `n` test such a note? */
bool way_code_tests_note(const struct point_map *map, uint32_t n);

#endif

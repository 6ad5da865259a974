/* guard.h - guards of the arms of a switch: `case T t when c`, `p when c =>`. An arm is taken when its
 * guard holds; when it does not, the dispatch goes on behind, or another arm is taken.
 * A guard is a statement of its own in the symbols, and nothing says that it is one. It is told by where
 * it leads: back to the dispatch, or to an arm. The body of an arm does neither, but for `goto case`.
 * Pure: used by decide.c. */
#ifndef ILCOV_COVERAGE_GUARD_H
#define ILCOV_COVERAGE_GUARD_H

#include "coverage/judge.h"

/* Is the block part of the dispatch that `leader` leads? */
bool guard_is_member(struct judge *j, uint32_t leader, uint32_t n);

/* Does a way out of that dispatch come out at a guard? */
bool guard_is(struct judge *j, uint32_t leader, struct way_out way);

/* A guard is a row of blocks: the one where its point stands, and those behind that the point holds
 * for. */
uint32_t guard_first(const struct judge *j, uint32_t point);
bool guard_goes_on(const struct judge *j, uint32_t n, uint32_t point);

#endif

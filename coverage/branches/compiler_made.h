/* compiler_made.h - what compilers put into a method that nobody wrote: the dispatch of state
 * machines, awaits, cached delegates, checks before Dispose, helpers that throw. Told by the names
 * of fields and methods, which no source can spell, and by what the code does.
 * Pure: flow graph and metadata in. Used by judge.c. */
#ifndef ILCOV_COVERAGE_BRANCHES_COMPILER_MADE_H
#define ILCOV_COVERAGE_BRANCHES_COMPILER_MADE_H

#include "coverage/branches/il_idioms.h"
#include "coverage/branches/point_map.h"

/* Does the branch at the end of block `n` test what only the compiler knows of? `visible`: a
 * visible point covers it, which speaks for the user where a field may be of either. */
bool made_test(const struct cover *cover, uint32_t n, bool is_state_machine, bool visible);

/* The check for null before Dispose at the end of a `using` or `foreach`. */
bool made_dispose_check(const struct cover *cover, uint32_t n);

#endif

/* vb_made.h - what the compiler of Visual Basic puts into a method that nobody wrote: the caches of its
 * lambdas, the first time of a Static local, the check for a listener in RaiseEvent.
 * Told by names with a '$', which no source can spell, and by what the code does.
 * Pure: flow graph and metadata in. Used by compiler_made.c. */
#ifndef ILCOV_COVERAGE_BRANCHES_VB_MADE_H
#define ILCOV_COVERAGE_BRANCHES_VB_MADE_H

#include "rewriter/flow.h"

/* Does the branch at the end of block `n`, which tests what instruction `load` loads, test what only that
 * compiler knows of? */
bool made_vb_test(const struct flow *flow, uint32_t n, uint32_t load);

#endif

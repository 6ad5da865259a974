/* fsharp_pattern.h - what only patterns of F# test: a tag, a type, null, an active pattern.
 * Pure:   flow graph and metadata in. */
#ifndef ILCOV_COVERAGE_STATEMENTS_FSHARP_PATTERN_H
#define ILCOV_COVERAGE_STATEMENTS_FSHARP_PATTERN_H

#include "rewriter/flow.h"

/* Does the branch at the end of block `n` test what only patterns test? */
bool fsharp_tests_pattern(const struct flow *flow, uint32_t n);

#endif

/* boxed_default.h - `t?.M()` where T may be a struct or a class. Control reaches M in two ways:
 *     default(T) != null    T is a struct
 *     t != null
 * The compiler added the first question; where its answer is yes, t is not null.
 * Pure:   flow graph in. */
#ifndef ILCOV_COVERAGE_BRANCHES_RULES_BOXED_DEFAULT_H
#define ILCOV_COVERAGE_BRANCHES_RULES_BOXED_DEFAULT_H

#include "rewriter/flow.h"

#define NO_EDGE UINT32_MAX

/* If the condition at the end of block `n` is the second question: the edge by which the first one
 * leads to where t is not null, as the taken edge of `n` does. Otherwise NO_EDGE. */
uint32_t boxed_default_goes_on(const struct flow *flow, uint32_t n);

#endif

/* lifted.h - lifted operators: `a + b`, `(long?)a`, `a < b`, `a == b` of nullable values (C#
 * 12.4.8). Each was written as one operator; compilers make branches of it: is there a value?
 * Pure:   flow graph and metadata in. */
#ifndef ILCOV_COVERAGE_BRANCHES_RULES_LIFTED_H
#define ILCOV_COVERAGE_BRANCHES_RULES_LIFTED_H

#include "rewriter/flow.h"

/* Is the bool that block `n` passes on the result of a lifted comparison: what the operator gave,
 * or the constant for a missing value? */
bool lifted_gives(const struct flow *flow, uint32_t n);

/* The result of such a comparison if a value is missing: the edge to that constant. */
struct lifted_constant {
    uint32_t edge;
    bool value;
};

/* The constants that are alternatives to what the operator gives in block `n`: one, or two for `==`
 * and `!=`. */
uint32_t lifted_constants(struct lifted_constant out[2], const struct flow *flow, uint32_t n);

#endif

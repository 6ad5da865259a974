/* lifted.h - lifted operators: `a + b`, `(long?)a`, `a < b`, `a == b` of nullable values (C#
 * 12.4.8). They were written as one, and compilers make branches of them: is there a value?
 * Pure: flow graph and metadata in. */
#ifndef ILCOV_COVERAGE_BRANCHES_RULES_LIFTED_H
#define ILCOV_COVERAGE_BRANCHES_RULES_LIFTED_H

#include "rewriter/flow.h"

/* Is the bool that block `n` hands on the result of a lifted comparison: what the operator gave, or
 * the constant for want of a value? */
bool lifted_gives(const struct flow *flow, uint32_t n);

/* What such a comparison is for want of a value: the edge to that constant. */
struct lifted_constant {
    uint32_t edge;
    bool value;
};

/* The constants beside what the operator gives in block `n`: one, or two of `==` and `!=`. */
uint32_t lifted_constants(struct lifted_constant out[2], const struct flow *flow, uint32_t n);

#endif

/* operands.h - values that are made operand by operand, `a && b`, `x is 'a' or 'b'`, and then
 * tested as one: which operands are decisions, and which tests tell nothing new.
 * Pure: used by judge.c. */
#ifndef ILCOV_COVERAGE_BRANCHES_OPERANDS_H
#define ILCOV_COVERAGE_BRANCHES_OPERANDS_H

#include "coverage/branches/fsharp_inlined.h"
#include "rewriter/plan.h"

struct operands {
    const struct flow *flow;
    const struct cover *cover;
    const struct inlined *inlined; /* what is told there nobody wrote */
    const struct plan *plan;
    bool is_state_machine; /* then argument 0 is only the way to variables */
    bool is_fsharp;        /* then constants stand under hidden points */
};

/* Was the value that the branch at the end of block `n` tests told, operand by operand, where it
 * was made, by the same statement? */
bool operands_tell_test(const struct operands *o, uint32_t n);

/* Does the branch test what was stored just before, by a visible statement? Debug code keeps a
 * condition in a variable and tests it behind a hidden point: stloc V; ldloc V; brfalse. */
bool operands_just_stored(const struct operands *o, uint32_t n);

/* ... and is that a constant? `while (true)` in Debug code: ldc.i4.1; stloc V; ldloc V; brtrue. */
bool operands_are_constant(const struct operands *o, uint32_t n);

/* Is the value that block `n` hands on, and that was counted there (plan.h), a decision? */
bool operands_decide(const struct operands *o, uint32_t n);

#endif

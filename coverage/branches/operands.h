/* operands.h - values that are made operand by operand, `a && b`, `x is 'a' or 'b'`, and then
 * tested as one: which operands are decisions, and which tests add no information.
 * Pure:   board in. */
#ifndef ILCOV_COVERAGE_BRANCHES_OPERANDS_H
#define ILCOV_COVERAGE_BRANCHES_OPERANDS_H

#include "coverage/branches/board.h"

/* Was the value that the branch at the end of block `n` tests already counted, operand by operand,
 * where the same statement made it? */
bool operands_determine_test(const struct board *board, uint32_t n);

/* Is the value that block `n` passes on, and that was counted there (plan.h), a decision? */
bool operands_decide(const struct board *board, uint32_t n);

#endif

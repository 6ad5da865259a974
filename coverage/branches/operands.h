/* operands.h - values that are made operand by operand, `a && b`, `x is 'a' or 'b'`, and then
 * tested as one: which operands are decisions, and which tests tell nothing new.
 * Pure: a rule of judge.c, and used by decide.c. */
#ifndef ILCOV_COVERAGE_BRANCHES_OPERANDS_H
#define ILCOV_COVERAGE_BRANCHES_OPERANDS_H

#include "coverage/branches/rules/board.h"

/* Was the value that the branch at the end of block `n` tests told, operand by operand, where it
 * was made, by the same statement? */
bool operands_tell_test(const struct board *board, uint32_t n);

/* Is the value that block `n` hands on, and that was counted there (plan.h), a decision? */
bool operands_decide(const struct board *board, uint32_t n);

#endif

/* operands.h - values that are made operand by operand, `a && b`, `x is 'a' or 'b'`, and then
 * tested as one: which operands are decisions, and which tests add no information.
 * Pure:   branches in. */
#pragma once

#include "coverage/branches/branches.h"

/* Was the value that the branch at the end of block `n` tests already counted, operand by operand,
 * where the same statement made it? */
bool operands_determine_test(const struct branches *branches, uint32_t n);

/* Is the value that block `n` passes on, and that was counted there (plan.h), a decision? */
bool operands_decide(const struct branches *branches, uint32_t n);

/* F#: does block `n` give the value of the last operand of && or ||, which is at the point
 * `statement`? A constant comes before it, under a hidden point, and the branch that leads to the
 * operand leads to that, too. */
bool operands_end_with(const struct branches *branches, uint32_t n, uint32_t statement);

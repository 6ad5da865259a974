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

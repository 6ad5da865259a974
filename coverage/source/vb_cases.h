/* vb_cases.h - the arms of a Select Case of Visual Basic, in the form of switch_arms.h: a label is
 * all of `Case 1, 2 To 4`, and an arm begins with it, or with its first statement.
 * Pure:   tokens in, places out. Used by coverage/condition_text/arm_names.c.
 * Owner:  the array lives in the arena.
 * Errors: only ERR_MEMORY. */
#pragma once

#include "coverage/source/switch_arms.h"

/* The one whose head, `Select Case n`, stands from `start` to `end`. Anything that cannot be read
 * with certainty, such as `#If`, leaves it unknown. */
NODISCARD bool vb_cases_find(struct switch_arms *out, const struct tokens *tokens, uint32_t start,
                             uint32_t end, struct arena *arena, struct err *err);

/* fsharp_inlined.h - conditionals that were not written at their place in the source: the F#
 * compiler copies `inline` functions, Option.map and max into their callers, and may test a pattern
 * by more than one branch: is there an array, and how long is it? One way of a user's conditional
 * leads to text of its own: a branch of an `if`, the body of a rule, an operand. (An arm that only
 * makes a function has borrowed its text, fsharp_arms.h.) Here the ways join, or the method ends,
 * before any text begins; or they contain only a lambda, which is part of the statement.
 * Pure:   used by judge.c, before any rule is asked. */
#ifndef ILCOV_COVERAGE_BRANCHES_RULES_FSHARP_INLINED_H
#define ILCOV_COVERAGE_BRANCHES_RULES_FSHARP_INLINED_H

#include "coverage/branches/rules/board.h"

/* Fills board->inlined. In other languages than F# nothing is inlined. Where the ways have joined,
 * the statement continues, although no point says so; board->map is updated to show it. */
NODISCARD bool fsharp_inlined_find(struct board *board, struct arena *arena, struct err *err);

#endif

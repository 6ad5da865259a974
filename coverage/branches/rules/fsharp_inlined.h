/* fsharp_inlined.h - conditionals that nobody wrote where they stand: the compiler of F# copies
 * `inline` functions, Option.map and max, into their callers, and a pattern may be tested by more
 * than one branch: is the array there, and how long is it? A conditional of the user has text of
 * its own, to which one of its ways leads: a branch of an `if`, the body of a rule, an operand.
 * Here the ways come together, or the method ends, before there is any; or only a lambda is in
 * them, and that is part of the statement.
 * Pure: used by judge.c, before any rule is asked. */
#ifndef ILCOV_COVERAGE_BRANCHES_RULES_FSHARP_INLINED_H
#define ILCOV_COVERAGE_BRANCHES_RULES_FSHARP_INLINED_H

#include "coverage/branches/rules/board.h"

/* Fills board->inlined. Of no other language than F#: nothing is inlined. Where the ways have
 * come together the statement goes on, with no point to say so; board->map knows then. */
NODISCARD bool fsharp_inlined_find(struct board *board, struct arena *arena, struct err *err);

#endif

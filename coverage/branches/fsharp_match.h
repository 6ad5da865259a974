/* fsharp_match.h - `match` of F#: its tests stand under the visible point of `match e with`, those that come behind
 * a guard under that of the guard. All are one switch; the guard is told as in C# (guard.h).
 * Operands of && and || have points of their own in F# 6 and later, so that two tests under one point are
 * of patterns.
 * Pure: used by judge.c. */
#ifndef ILCOV_COVERAGE_BRANCHES_FSHARP_MATCH_H
#define ILCOV_COVERAGE_BRANCHES_FSHARP_MATCH_H

#include "coverage/branches/judge.h"

/* Makes dispatches of the conditions that are part of a match, and unites each with its match. */
NODISCARD bool match_find(struct judge *j, struct arena *arena, struct err *err);

#endif

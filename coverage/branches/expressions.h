/* expressions.h - which decisions of a statement are conditions of one expression, and which of
 * them is asked next: `if (a && b)` is one expression of two conditions, `f(a && b, c || d)` two
 * of two. Told by control flow alone, so that it is the same with and without sources. From one
 * condition a way leads to the next of its expression, or to the expression's end. What is asked
 * whatever the answer is belongs to the end, as do the conditions in operands: c of
 * `a && F(c ? 1 : 2)` is an expression of its own. An expression is the largest set of conditions
 * of one statement that is entered at its first one only, and has no more than two ends: where it
 * holds, and where it does not. Values that stand for the two, which Debug builds make, are
 * followed to where they are tested. What asks for null, `a ?? b` and `a?.b`, stands alone.
 * Pure: used by decide.c. */
#ifndef ILCOV_COVERAGE_BRANCHES_EXPRESSIONS_H
#define ILCOV_COVERAGE_BRANCHES_EXPRESSIONS_H

#include "coverage/branches/decisions.h"
#include "coverage/branches/rules/board.h"

/* Fills `expression` and `next` of all decisions. */
NODISCARD bool expressions_find(struct decisions *decisions, const struct board *board,
                                struct arena *arena, struct err *err);

#endif

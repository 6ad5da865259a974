/* expressions.h - which decisions of a statement are conditions of one expression, and which of
 * them is asked next: `if (a && b)` is one expression of two conditions; `f(a && b, c || d)` is two
 * expressions of two conditions each. Only control flow decides, so the result is the same with and
 * without sources. Each way out of a condition leads to the next condition of its expression, or to
 * the expression's end. What is asked whatever the answer is belongs to the end. So do the
 * conditions in operands: c of `a && F(c ? 1 : 2)` is an expression of its own. An expression is
 * the largest set of conditions of one statement that is entered only at its first one and has at
 * most two ends: where it holds, and where it does not. Debug builds represent the two by values;
 * these are followed to where they are tested. `a ?? b` and `a?.b` test for null and are
 * expressions of their own.
 * Pure:   used by decide.c. */
#ifndef ILCOV_COVERAGE_BRANCHES_EXPRESSIONS_H
#define ILCOV_COVERAGE_BRANCHES_EXPRESSIONS_H

#include "coverage/branches/decisions.h"
#include "coverage/branches/rules/board.h"

/* Sets `expression` and `next` of all decisions. */
NODISCARD bool expressions_find(struct decisions *decisions, const struct board *board,
                                struct arena *arena, struct err *err);

#endif

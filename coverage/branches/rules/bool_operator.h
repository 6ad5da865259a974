/* bool_operator.h - `a & b` and `a | b` of `bool?`: one operator of the user, several tests of the
 * compiler.
 * Pure:   board in. */
#ifndef ILCOV_COVERAGE_BRANCHES_RULES_BOOL_OPERATOR_H
#define ILCOV_COVERAGE_BRANCHES_RULES_BOOL_OPERATOR_H

#include "coverage/branches/rules/board.h"

/* Does the block end with the first test of such an operator whose operands are `bool?` or null? */
bool bool_operator_begins(const struct board *board, uint32_t block);

#endif

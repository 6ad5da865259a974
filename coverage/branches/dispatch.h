/* dispatch.h - which dispatches are one switch, and which conditions are one question.
 * Pure: the last rule of judge.c; what it finds is board->group and board->next. */
#ifndef ILCOV_COVERAGE_BRANCHES_DISPATCH_H
#define ILCOV_COVERAGE_BRANCHES_DISPATCH_H

#include "coverage/branches/rules/board.h"

/* Does a way of block `n` lead to another condition on exactly the same source text? `foreach` over
 * a `T[,]` is a loop in a loop. Both tests have the point of `in`, and they are one question: is
 * there another element? */
bool dispatch_leads_to_twin(const struct board *board, uint32_t n, struct way_out way);

#endif

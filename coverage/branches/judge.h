/* judge.h - whose each branch of a method is: asks the rules of rules.def in their order.
 * Pure: flow graph, plan and sequence points in. Used by decide.c, which makes decisions of what
 *       is the user's, and by `ilcov inspect`.
 * Owner:  the board's arrays live in the arena. */
#ifndef ILCOV_COVERAGE_BRANCHES_JUDGE_H
#define ILCOV_COVERAGE_BRANCHES_JUDGE_H

#include "coverage/branches/rules/board.h"

/* `source->reach` is not looked at. */
NODISCARD bool judge_make(struct board *out, const struct statements_source *source,
                          const struct plan *plan, struct arena *arena, struct err *err);

/* The table of rules, in their order. */
const struct rule *judge_rules(size_t *count);

#endif

/* decide.h - which branches of a method are decisions of its programmer: the conditions, operands
 * and switches that were written. They are told apart from what the compiler added by meaning: what
 * a branch tests, which sequence point it belongs to, and where its ways lead.
 * Pure:   flow graph, plan and sequence points in; decisions out. Used by module_facts.c and
 *         `ilcov inspect`.
 * Owner:  arrays live in the arena. */
#ifndef ILCOV_COVERAGE_BRANCHES_DECIDE_H
#define ILCOV_COVERAGE_BRANCHES_DECIDE_H

#include "coverage/branches/decisions.h"
#include "rewriter/plan.h"

/* Ignores `source->reach`. */
NODISCARD bool decide(struct decisions *out, const struct statements_source *source,
                      const struct plan *plan, struct arena *arena, struct err *err);

#endif

/* approach.h - the last places on all ways to a statement, or to the test of a decision: the
 * statement before it, an outcome, the beginning of its method or handler (causes.h).
 * A place is one of them only if control gets from it to the statement and nowhere else, unless an
 * exception or the end of the process comes between. Where that is not certain nothing is said: of
 * statements that are compiled several times, in state machines of F#, after `catch` blocks that
 * await.
 * Pure:   flow graph, sequence points and decisions in.
 * Owner:  everything lives in the arena that approach_make got. */
#ifndef ILCOV_COVERAGE_COLLECT_APPROACH_H
#define ILCOV_COVERAGE_COLLECT_APPROACH_H

#include "base/list.h"
#include "coverage/branches/decisions.h"
#include "coverage/facts/causes.h"
#include "coverage/statements/statements.h"

struct approach;

/* Statements and decisions that the facts do not have are not named as causes. */
NODISCARD struct approach *approach_make(const struct statements_source *source,
                                         const struct plan *plan,
                                         const struct statements *statements,
                                         const struct decisions *decisions, struct arena *arena,
                                         struct err *err);

/* The causes of a statement, or of a decision's test; numbers are indexes in the lists that
 * approach_make got. Nothing is added where they are not known. Fails only for lack of memory. */
NODISCARD bool approach_to_statement(struct approach *approach, uint32_t statement,
                                     struct list *causes, struct err *err);
NODISCARD bool approach_to_decision(struct approach *approach, uint32_t decision,
                                    struct list *causes, struct err *err);

#endif

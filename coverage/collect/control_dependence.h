/* control_dependence.h - the last places on all ways to a statement, or to the test of a decision:
 * the statement before it, an outcome, the beginning of its method or handler (causes.h).
 * A place is one of them only if control gets from it to the statement and nowhere else, unless an
 * exception or the end of the process comes between. Where that is not certain nothing is said: of
 * statements that are compiled several times, or merged with another (source_edges.h), and in state
 * machines of F#.
 * Pure:   flow graph, sequence points and decisions in.
 * Owner:  everything lives in the arena. */
#pragma once

#include "coverage/branches/decisions.h"
#include "coverage/facts/facts.h"
#include "coverage/statements/statements.h"

struct control_dependence;

/* `number_of`, per decision: its number among those of the method that the facts have, or NO_INDEX:
 * it cannot be reached. */
NODISCARD struct control_dependence *
control_dependence_make(const struct statements_source *source, const struct plan *plan,
                        const struct statements *statements, const struct decisions *decisions,
                        const uint32_t *number_of, struct arena *arena, struct err *err);

/* The causes of a statement, or of a decision's test, by their indexes in the lists that
 * control_dependence_make got; empty where they are not known. */
struct fact_causes control_dependence_of_statement(struct control_dependence *dependence,
                                                   uint32_t statement);
struct fact_causes control_dependence_of_decision(struct control_dependence *dependence,
                                                  uint32_t decision);

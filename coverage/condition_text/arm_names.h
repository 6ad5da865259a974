/* arm_names.h - what the outcomes of a decision are called in the source: the text before the place
 * that each of them leads to, where that is the label of an arm. An outcome that leads to no arm
 * has a name only if it is the only such outcome, and all arms that are left can end nowhere else.
 * In doubt there is no name.
 * Used by module_facts.c.
 * Owner:  bytes live in the arena `kept`.
 * Errors: only ERR_MEMORY, and those of the source. */
#pragma once

#include "coverage/condition_text/decision_text.h"
#include "coverage/statements/statements.h"

/* One method: its decisions, whose spans must be known (decision_text_find), and statements. */
struct arm_names_request {
    const struct statements_source *method;
    const struct decisions *decisions;
    const struct statements *statements;
    decision_source *source;
    decision_tokens *tokens;
    void *context; /* of both */
};

/* `out`: per decision a list of coverage/facts/arms.h, or nothing. */
NODISCARD bool arm_names_find(struct view *out, const struct arm_names_request *request,
                              struct arena *kept, struct arena *scratch, struct err *err);

/* classify.h - who wrote each branch of a method, the user or the compiler. Asks the rules of
 * rules.def in their order.
 * Pure:   flow graph, plan and sequence points in.
 * Owner:  the arrays live in the arena. */
#pragma once

#include "coverage/branches/branches.h"

/* Ignores `source->reach`. */
NODISCARD bool branches_classify(struct branches *out, const struct statements_source *source,
                                 const struct plan *plan, struct arena *arena, struct err *err);

/* The switch that block `leader` leads has one outcome: its branches get the rule for that case.
 * Their class stays, because ways are still followed to them. */
void branches_mark_left_over(struct branches *branches, uint32_t leader);

/* What a branch is for, as far as it matters to those who follow control. */
enum branch_role {
    ROLE_OTHER,
    ROLE_WAY_BACK,  /* to where a state machine was left, if it jumps */
    ROLE_AWAIT,     /* tests IsCompleted */
    ROLE_COUNTED,   /* tests what was counted where it was made */
    ROLE_GENERATED, /* tests a field that the compiler added */
    ROLE_PENDING,   /* after a `finally` that awaits: throws the exception that came before it */
};
/* Of the branch at the end of block `n`; `rule` classified it, or is NULL: there is none. */
enum branch_role branch_role_of(const struct rule *rule, const struct flow *flow, uint32_t n);

/* The table of rules, in their order. */
const struct rule *branch_rules(size_t *count);

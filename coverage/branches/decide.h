/* decide.h - which branches of a method are decisions of its programmer: the conditions, operands
 * and switches that were written, told from what the compiler added by meaning: what a branch
 * tests, which sequence point it belongs to, and where its ways lead.
 * Pure: flow graph, plan and sequence points in; decisions out. Used by collect.c and `ilcov
 *       inspect`.
 * Owner:  arrays live in the arena. */
#ifndef ILCOV_COVERAGE_BRANCHES_DECIDE_H
#define ILCOV_COVERAGE_BRANCHES_DECIDE_H

#include "coverage/branches/rules/board.h"
#include "rewriter/plan.h"

enum outcome_source {
    SOURCE_EDGE,
    SOURCE_COUNTER
};

/* Something whose count belongs to an outcome. */
struct outcome_part {
    uint32_t outcome; /* of its decision */
    enum outcome_source source;
    uint32_t index; /* of the edge, or of the counter */
};

struct decision {
    uint32_t il_offset;
    uint32_t point; /* index of the sequence point that it stands on */
    bool is_switch;
    uint32_t outcome_count;
    uint32_t first_part, part_count;
};

struct decisions {
    struct decision *items; /* ascending il_offset */
    uint32_t count;
    struct outcome_part *parts;
    uint32_t part_count;
    const struct rule **rule; /* of each block with a branch at its end: whose it is; else NULL */
};

/* `source->reach` is not looked at. */
NODISCARD bool decide(struct decisions *out, const struct statements_source *source,
                      const struct plan *plan, struct arena *arena, struct err *err);

#endif

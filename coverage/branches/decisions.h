/* decisions.h - which branches of a method are decisions of its programmer: the conditions,
 * operands and switches that were written. They are told apart from what the compiler added by
 * meaning: what a branch tests, which sequence point it belongs to, and where its ways lead.
 * Pure:   flow graph, plan and sequence points in; decisions out.
 * Owner:  arrays live in the arena. */
#pragma once

#include "coverage/branches/branches.h"
#include "coverage/facts/arms.h"

enum outcome_source {
    SOURCE_EDGE,
    SOURCE_COUNTER
};

/* In place of a point: the way leads to more questions or throws, or it is no way but a value. */
#define PLACE_UNKNOWN (NO_INDEX - 1)

/* Something whose count is part of an outcome's count. */
struct outcome_part {
    uint32_t outcome; /* index within its decision */
    enum outcome_source source;
    uint32_t index; /* index of the edge or counter */
    /* The point at which its way comes out, NO_INDEX or PLACE_UNKNOWN. What stands before that in
     * the source is what the outcome is called (condition_text/arm_names.h). */
    uint32_t place;
};

enum {
    DECISION_END = -1,    /* the expression ends */
    DECISION_UNKNOWN = -2 /* what comes next is not known */
};

struct decision {
    uint32_t il_offset;
    uint32_t point; /* index of its sequence point */
    bool is_first_on_point;
    uint32_t next_on_point; /* the next decision of the point, or NO_INDEX */
    bool is_switch;
    bool of_constant; /* of a pattern; other tests count for it, too */
    uint32_t outcome_count;
    uint32_t first_part, part_count;
    uint32_t expression;   /* index of the first decision of its expression (expressions.c) */
    int32_t next[2];       /* of a condition: the decision that each outcome leads to */
    struct fact_span span; /* condition_text/decision_text.h fills this and is_exact */
    bool is_exact;         /* the span is that of its operand, not of what that is part of */
};

struct decisions {
    struct decision *items; /* ascending il_offset */
    uint32_t count;
    struct outcome_part *parts;
    uint32_t part_count;
    const struct seq_points *points; /* of the method; in F# some have borrowed text */
    struct point_map map;            /* of these points */
    const struct rule **rule;        /* per block that ends with a branch: its rule; else NULL */
};

/* Ignores `source->reach`. */
NODISCARD bool decide(struct decisions *out, const struct statements_source *source,
                      const struct plan *plan, struct arena *arena, struct err *err);

/* Sets `expression` and `next` of all decisions: a step of decide. */
NODISCARD bool expressions_find(struct decisions *decisions, const struct branches *branches,
                                struct arena *arena, struct err *err);

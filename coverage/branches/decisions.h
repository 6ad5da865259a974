/* decisions.h - the decisions of a method: what decide.c finds, expressions.c groups, and the
 * collector counts and looks up in the source.
 * Owner:  arrays live in the arena. */
#ifndef ILCOV_COVERAGE_BRANCHES_DECISIONS_H
#define ILCOV_COVERAGE_BRANCHES_DECISIONS_H

#include "coverage/branches/rules/board.h"
#include "coverage/facts/arms.h"

enum outcome_source {
    SOURCE_EDGE,
    SOURCE_COUNTER
};

/* In place of a point: the way leads to more questions or throws, or it is no way but a value. */
#define PLACE_UNKNOWN (NO_POINT - 1)

/* Something whose count is part of an outcome's count. */
struct outcome_part {
    uint32_t outcome; /* index within its decision */
    enum outcome_source source;
    uint32_t index; /* index of the edge or counter */
    uint32_t place; /* the point that it leads to, NO_POINT or PLACE_UNKNOWN (places.h) */
};

enum {
    DECISION_END = -1,    /* the expression ends */
    DECISION_UNKNOWN = -2 /* what comes next is not known */
};

#define NO_DECISION UINT32_MAX

struct decision {
    uint32_t il_offset;
    uint32_t point; /* index of its sequence point */
    bool is_first_on_point;
    uint32_t next_on_point; /* the next decision of the point, or NO_DECISION */
    bool is_switch;
    uint32_t outcome_count;
    uint32_t first_part, part_count;
    uint32_t expression;   /* index of the first decision of its expression (expressions.h) */
    int32_t next[2];       /* of a condition: the decision that each outcome leads to */
    struct fact_span span; /* wording/decision_text.h fills this and is_exact */
    bool is_exact;         /* the span is that of its operand, not of its statement */
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

#endif

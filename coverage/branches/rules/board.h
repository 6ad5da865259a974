/* board.h - what is known of the branches of one method, and what the rules write on it: whose
 * each branch is, the statement that it stands on, and which branches are one switch.
 * Pure: flow graph, plan and sequence points in.
 * Units:  blocks, edges and points are indexes into their arrays, or NO_BLOCK, NO_POINT.
 * Owner:  arrays live in the arena. */
#ifndef ILCOV_COVERAGE_BRANCHES_RULES_BOARD_H
#define ILCOV_COVERAGE_BRANCHES_RULES_BOARD_H

#include "coverage/statements/fsharp_machine.h"
#include "coverage/statements/point_map.h"
#include "rewriter/plan.h"

struct board;
struct branch;

enum judgement {
    JUDGED_NONE,      /* not counted: no branch is there, or the user did not write it */
    JUDGED_CONDITION, /* a decision of its own */
    JUDGED_DISPATCH   /* part of a switch */
};

/* One construct (rules.def). */
struct rule {
    const char *name, *description;
    unsigned languages; /* a bit for each enum language */
    enum judgement judgement;
    /* Is the branch of this construct? NULL for a rule that looks at more than one. */
    bool (*test)(const struct board *board, const struct branch *branch);
    /* Judges the branches of the method that are of this construct; or NULL. */
    bool (*find)(struct board *board, const struct rule *rule, struct arena *arena,
                 struct err *err);
};

/* F#: the conditionals of inlined code (fsharp_inlined.h). */
struct inlined {
    /* Of each block: where the ways of such a conditional at its end come together; the block
     * itself when they end there; NO_BLOCK when there is none. */
    uint32_t *join;
    /* Of each block: the outermost such conditional that it is on a way of, or NO_BLOCK. */
    uint32_t *within;
};

struct board {
    const struct flow *flow;
    const struct plan *plan;
    const struct seq_points *points;
    enum language language;
    bool is_state_machine;
    struct point_map map;
    struct fsharp_machine fsharp;
    struct inlined inlined;
    const struct rule **rule; /* of each branch, by its block: the rule that judged it, else NULL */
    uint8_t *judgement;       /* of each block: enum judgement of the branch at its end */
    uint32_t *statement;      /* of each judged branch: the point that its decision stands on */
    uint32_t *group;          /* of dispatching blocks: a parent, as in union-find */
    uint32_t *next;           /* of dispatching blocks: the next of the same group, or NO_BLOCK */
    /* F#, else NULL: the first point of the same span; the next condition of the same, or
     * NO_BLOCK */
    uint32_t *span, *copy;
    /* F#, else NULL: of each dispatch: the point of a guard that is asked before it, or NO_POINT */
    uint32_t *guarded;
};

/* A condition or switch, the last instruction of a block, and what it tests. */
struct branch {
    uint32_t block, last; /* the block, and the index of the instruction */
    uint32_t load;        /* the instruction that loads what it tests; IL_NO_INDEX: more than one */
    uint32_t local;       /* the local that `load` loads, or IL_NO_INDEX */
    struct str member;    /* the name of the field or method that `load` names, else empty */
    bool visible;         /* a visible point holds at it */
    bool just_stored;     /* a visible statement stored what it tests just before */
    uint32_t before; /* the last visible point at or before it in the same handler, or NO_POINT */
};

/* Nothing is judged yet. */
NODISCARD bool board_make(struct board *out, const struct statements_source *source,
                          const struct plan *plan, struct arena *arena, struct err *err);

/* Does the block end with a condition or switch? */
bool board_has_branch(const struct board *board, uint32_t block);

/* The branch at the end of such a block. */
struct branch board_branch(const struct board *board, uint32_t block);

/* The point that a decision on it would stand on: the one before or, for want of that, the next
 * in the same handler; NO_POINT when there is neither. */
uint32_t board_statement(const struct board *board, const struct branch *branch);

void board_judge(struct board *board, uint32_t block, const struct rule *rule);

/* Where a way comes out: at a visible point, or at the end of control in a block. */
struct way_out {
    uint32_t point;
    uint32_t block; /* the one where the walk stopped */
    bool throws;
    bool brings_value; /* to a join: a or b of `(c ? a : b) switch` */
};

/* Where the way that begins with a block comes out. */
struct way_out board_follow(const struct board *board, uint32_t block);

/* The lowest block of the dispatch that a dispatching block is part of; `next` leads on from it,
 * ascending, once dispatches are linked (dispatch.c). */
uint32_t board_group(struct board *board, uint32_t block);

/* Makes one of the dispatches that two blocks are part of; false when they are one already. */
bool board_unite(struct board *board, uint32_t a, uint32_t b);

static inline bool board_is_inlined(const struct board *board, uint32_t block)
{
    return board->inlined.join[block] != NO_BLOCK;
}

#endif

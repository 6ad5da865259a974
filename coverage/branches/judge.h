/* judge.h - what each branch of a method is: the compiler's, a condition of the programmer's, or part of
 * the dispatch of a switch; and which dispatches are one switch.
 * Pure: flow graph, plan and sequence points in. Used by decide.c, which makes decisions of it.
 * Owner:  arrays live in the arena. */
#ifndef ILCOV_COVERAGE_BRANCHES_JUDGE_H
#define ILCOV_COVERAGE_BRANCHES_JUDGE_H

#include "coverage/branches/fsharp_inlined.h"
#include "coverage/branches/fsharp_made.h"
#include "coverage/branches/operands.h"
#include "coverage/branches/point_map.h"
#include "coverage/branches/statements.h"

enum judgement {
    JUDGED_NONE,
    JUDGED_CONDITION,
    JUDGED_DISPATCH
};

struct judge {
    const struct flow *flow;
    const struct plan *plan;
    const struct seq_points *points;
    enum language language;
    bool is_state_machine;
    struct made_fsharp fsharp;
    struct cover cover;
    struct inlined inlined;
    struct operands operands;
    uint8_t *judgement;  /* of each block that ends with a condition or switch */
    uint32_t *statement; /* the point that such a block's decision stands on */
    uint32_t *group;     /* of dispatching blocks: a parent, as in union-find */
    uint32_t *next;      /* of dispatching blocks: the next of the same group, or NO_BLOCK */
    /* F#, else NULL: the first point of the same span; the next condition of the same, or NO_BLOCK */
    uint32_t *span, *copy;
    uint32_t *
        guarded; /* F#: of each dispatch: the point of a guard that is asked before it, or NO_POINT */
};

/* Where a way comes out: at a visible point, or at the end of control in a block. */
struct way_out {
    uint32_t point;
    uint32_t block; /* the one where the walk stopped */
    bool throws;
    bool brings_value; /* to a join: a or b of `(c ? a : b) switch` */
};

NODISCARD bool judge_make(struct judge *out, const struct statements_source *source,
                          const struct plan *plan, struct arena *arena, struct err *err);

/* Where the way that begins with a block comes out. */
struct way_out judge_follow(const struct judge *j, uint32_t block);

/* The lowest block of the dispatch that a dispatching block is part of; `next` leads on from it, ascending. */
uint32_t judge_group(struct judge *j, uint32_t block);

/* Makes one of the dispatches that two blocks are part of; false when they are one already. */
bool judge_unite(struct judge *j, uint32_t a, uint32_t b);

/* Does a way of block `n` lead to another condition on the very text that this one stands on? `foreach`
 * over a `T[,]` is a loop in a loop, both under the `in`, and one question: is there another element? */
bool judge_leads_to_twin(const struct judge *j, uint32_t n, struct way_out way);

#endif

/* branches.h - what is known of the branches of one method, and what the rules write: who wrote
 * each branch, the statement that it belongs to, and which branches are one switch.
 * Pure:   flow graph, plan and sequence points in.
 * Units:  blocks, edges and points are indexes into their arrays, or NO_INDEX.
 * Owner:  arrays live in the arena. */
#pragma once

#include "coverage/statements/fsharp_machine.h"
#include "coverage/statements/fsharp_operands.h"
#include "coverage/statements/point_map.h"
#include "rewriter/plan.h"

struct branches;
struct branch;

enum branch_class {
    BRANCH_NONE,      /* not counted: there is no branch, or the user did not write it */
    BRANCH_CONDITION, /* a decision of its own */
    BRANCH_DISPATCH   /* part of a switch */
};

/* One construct (rules.def). */
struct rule {
    const char *name, *description;
    unsigned languages; /* one bit per enum language */
    enum branch_class class;
    /* Does the branch belong to this construct? NULL for a rule that looks at more than one
     * branch. */
    bool (*test)(const struct branches *branches, const struct branch *branch);
    /* Classifies the branches of the method that belong to this construct; or NULL. */
    bool (*find)(struct branches *branches, const struct rule *rule, struct arena *arena,
                 struct err *err);
};

enum {
    WAYS_MAX = 128 /* blocks on the ways out of one test */
};

/* Blocks on the ways out of one test, in the order in which these come to them; each once. */
struct blocks_met {
    uint32_t items[WAYS_MAX];
    uint32_t count;
    uint32_t *seen; /* per block of the method: the last test from which it was met */
    uint32_t tests;
};

/* Begins with the blocks that a test leads to; adds those that another block leads to. False if
 * they are too many. */
bool blocks_meet_first(struct blocks_met *met, const struct flow *flow, uint32_t test);
bool blocks_meet_next(struct blocks_met *met, const struct flow *flow, uint32_t n);

/* F#: the conditionals of inlined code (fsharp_inlined.c). */
struct inlined {
    /* Per block: where the ways of such a conditional at its end join; the block itself if they end
     * there; NO_INDEX if it has none. */
    uint32_t *join;
    /* Per block: the outermost such conditional with a way through the block, or NO_INDEX. */
    uint32_t *within;
};

/* F#: the points of a method in which arms that only make a function have the text of that
 * (fsharp_arms.c). */
struct fsharp_arms {
    struct seq_points points;
    bool *borrowed; /* per point: it has such text; NULL: none has */
};

/* In other languages than F#, and without symbols, the points stay as they are. */
NODISCARD bool fsharp_arms_find(struct fsharp_arms *out, const struct statements_source *source,
                                struct arena *arena, struct err *err);

/* An edge that counts for an outcome of a condition. */
struct condition_way {
    uint32_t edge;
    bool holds;
    const struct condition_way *next;
};

struct branches {
    const struct flow *flow;
    const struct plan *plan;
    const struct seq_points *points;
    const bool *borrowed; /* F#, per point: it has a function's text (fsharp_arms.c); or NULL */
    struct fsharp_operands operands;
    const struct line_index *text; /* C#, as of struct statements_source; or NULL */
    const struct tokens *tokens;
    bool may_guard, may_switch; /* false: its source has no `when`, no `switch` (F#: `|`) */
    enum language language;
    bool is_state_machine;
    bool awaits;           /* it is one, or the runtime suspends the method */
    bool makes_call_sites; /* it has code with `dynamic` */
    struct point_map map;
    enum fsharp_kind fsharp;
    struct inlined inlined;
    const struct rule **rule; /* per branch, by its block: the rule that classified it, else NULL */
    uint8_t *class;           /* per block: enum branch_class of the branch at its end */
    uint32_t *statement;      /* per classified branch: the point of its decision */
    uint32_t *group;          /* per dispatching block: a parent, as in union-find */
    uint32_t *next;           /* per dispatching block: the next of the same group, or NO_INDEX */
    /* Per condition: what counts for it in place of its own edges, or NULL; per value that
     * decides: besides its counters */
    const struct condition_way **ways;
    uint32_t way_count;
    bool *in_pattern; /* per block: its branch is one of a pattern (constant_pattern.c) */
    /* F#, per condition: the next copy of it, or NO_INDEX */
    uint32_t *copy;
    /* Per dispatch: the point of a guard that is asked before it, or NO_INDEX */
    uint32_t *guarded;
    /* Per condition: the point of the `match` or switch whose first guard it is, if all that this
     * asks are guards, else NO_INDEX */
    uint32_t *match_of_guards;
    /* Per point, and per dispatching block: its switch in the source (switch_home.h) */
    uint32_t *point_home, *home;
    /* guard.c. Per point, without the text and with it: the last search that asked whether it is a
     * guard, and how deep it was then. */
    uint64_t *guard_tried, guard_search;
};

/* A condition or switch, the last instruction of a block, and what it tests. */
struct branch {
    uint32_t block, last; /* the block, and the index of the instruction */
    uint32_t load;        /* the instruction that loads what it tests; NO_INDEX: several */
    uint8_t load_op;      /* its enum opcode; OP_NOP: several */
    uint32_t local;       /* the local that `load` loads, or NO_INDEX */
    struct str member;    /* the name of the field or method that `load` names, else empty */
    bool visible;         /* it has a visible point */
    bool just_stored;     /* a visible statement stored what it tests just before */
    uint32_t before;      /* the last visible point at or before it in the same handler, or none */
};

/* None of them is classified yet. */
NODISCARD bool branches_make(struct branches *out, const struct statements_source *source,
                             const struct plan *plan, struct arena *arena, struct err *err);

/* Does the block end with a condition or switch? */
bool branches_has(const struct branches *branches, uint32_t block);

/* The branch at the end of such a block. */
struct branch branches_at(const struct branches *branches, uint32_t block);

/* The point that a decision on it would have: the one before or, if there is none, the next in the
 * same handler; NO_INDEX if there is neither. */
uint32_t branches_statement(const struct branches *branches, const struct branch *branch);

/* Is the point a brace in whose name nothing is done? Such a one has no line. */
bool branches_is_brace(const struct point_map *map, uint32_t point);

/* Of code at an offset that has no point, such as a `switch`: the statement before, or else the
 * next one. `before` is the last point before the code, or NO_INDEX. */
uint32_t branches_statement_near(const struct point_map *map, uint32_t before, uint32_t offset);

/* The point, or, if it only borrowed its text, that of the statement around it or before, if there
 * is one; of an operand without a point, that of the statement around it or of the next operand. */
uint32_t branches_own_point(const struct branches *branches, uint32_t point);

/* The first point of the same span as a visible one. */
static inline uint32_t branches_first_point(const struct branches *branches, uint32_t point)
{
    const struct spans *spans = &branches->map.spans;
    return spans->points[spans->items[spans->of[point]].first];
}

/* Visual Basic: the point of the `For` or `For Each` whose loop the branch ends; NO_INDEX if it is
 * no such branch (vb_loop.c). */
uint32_t vb_loop_header(const struct branches *branches, const struct branch *branch);

/* Does a condition that has `ways` hold where control takes this edge? */
bool branches_way_holds(const struct branches *branches, uint32_t block, uint32_t edge);
NODISCARD bool branches_add_way(struct branches *branches, uint32_t block, uint32_t edge,
                                bool holds, struct arena *arena, struct err *err);

/* The tokens [first, end) of a point's text; false if the source is not at hand. */
bool branches_tokens(uint32_t *first, uint32_t *end, const struct branches *branches,
                     uint32_t point);

void branches_set_rule(struct branches *branches, uint32_t block, const struct rule *rule);

/* Where a way comes out: at a visible point, or at the end of control in a block. */
struct way_out {
    uint32_t point;
    uint32_t block; /* where the walk stopped */
    bool throws;
    bool brings_value; /* to a join or past an await: a or b of `(c ? a : await b) switch` */
};

/* Where the way that begins with a block, or an edge, comes out. */
struct way_out branches_follow(const struct branches *branches, uint32_t block);
static inline struct way_out branches_follow_edge(const struct branches *branches, uint32_t edge)
{
    return branches_follow(branches, branches->flow->edges[edge].to);
}

/* Does a way of block `n` lead to another condition on exactly the same source text? `foreach` over
 * a `T[,]` is a loop in a loop. Both tests have the point of `in`, and they are one question: is
 * there another element? */
bool branches_leads_to_twin(const struct branches *branches, uint32_t n, struct way_out way);

/* The lowest block of the dispatch that a dispatching block is part of; `next` lists the others in
 * ascending order, once dispatches are linked (dispatch.c). */
uint32_t branches_group(struct branches *branches, uint32_t block);

/* Joins the dispatches that two blocks are part of; false if they are the same already. */
bool branches_unite(struct branches *branches, uint32_t a, uint32_t b);

static inline bool branches_is_inlined(const struct branches *branches, uint32_t block)
{
    return branches->inlined.join[block] != NO_INDEX;
}

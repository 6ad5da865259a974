/* How a branch is judged, in this order:
 *
 *   1. What it tests (compiler_made.h): the state of a state machine, IsCompleted of an awaiter, a
 *      cached delegate are the compiler's.
 *   2. Is its value made of operands that were counted where they were made (`a && b` kept in a
 *      variable)? Then they are the decisions, and it is none.
 *   3. Its sequence point. Visible: a condition on that statement, unless all its ways are of a
 *      switch expression in it, or it only splits the search for a constant. Hidden right behind
 *      the store of what it tests: the same, as Debug builds split a condition in two. Hidden
 *      otherwise: part of a dispatch.
 *   4. Branches of a dispatch that run into each other are one switch. Its outcomes are the visible
 *      points, or ends of the method, where its ways come out; ways on which only the compiler
 *      throws are none. With one outcome left it is no decision. */
#include "coverage/decide.h"

#include "coverage/compiler_made.h"
#include "coverage/dispatch.h"
#include "coverage/lifted.h"
#include "coverage/operands.h"

enum {
    JUMPS_MAX = 8,
};

enum judgement {
    JUDGED_NONE,
    JUDGED_CONDITION,
    JUDGED_DISPATCH
};

struct judge {
    const struct flow *flow;
    const struct plan *plan;
    const struct seq_points *points;
    bool is_state_machine;
    struct cover cover;
    struct operands operands;
    uint8_t *judgement;  /* of each block that ends with a condition or switch */
    uint32_t *statement; /* the point that such a block's decision stands on */
    uint32_t *guard_of;  /* of blocks where a guard begins: the leader that knows it */
    uint32_t *group;     /* of dispatching blocks: a parent, as in union-find */
    uint32_t *next;      /* of dispatching blocks: the next of the same group, or NO_BLOCK */
    struct decisions *out;
};

/* --- conditions and dispatches ---------------------------------------------------------------- */

/* Where a way comes out: at a visible point, or at the end of control in a block. */
struct way_out {
    uint32_t point;
    uint32_t block; /* the one where the walk stopped */
    bool throws;
    bool brings_value; /* to a join: a or b of `(c ? a : b) switch` */
};

/* The one way on, be it through an await; NO_BLOCK when there are more, or none. */
static uint32_t next_of_way(const struct judge *j, uint32_t block)
{
    const struct block *b = &j->flow->blocks[block];
    if (b->edge_count == 1)
        return j->flow->edges[b->first_edge].to;
    return j->is_state_machine ? made_await_goes_on(j->flow, block) : NO_BLOCK;
}

static struct way_out follow(const struct judge *j, uint32_t block)
{
    struct way_out way = {NO_POINT, block, false, false};
    uint32_t depth = j->flow->blocks[block].depth;
    for (uint32_t steps = 0; steps <= j->flow->block_count; steps++) {
        const struct block *b = &j->flow->blocks[way.block];
        way.brings_value |= b->depth > depth && b->in_count > 1;
        way.point = j->cover.opens[way.block];
        if (way.point != NO_POINT || j->judgement[way.block] == JUDGED_DISPATCH)
            return way;
        way.throws = made_throw(j->flow, way.block);
        uint32_t next = way.throws ? NO_BLOCK : next_of_way(j, way.block);
        if (next == NO_BLOCK)
            return way;
        way.block = next;
    }
    return way;
}

/* Past blocks with nothing but a jump. */
static uint32_t past_jumps(const struct judge *j, uint32_t block)
{
    const struct flow *flow = j->flow;
    for (unsigned steps = 0; steps < JUMPS_MAX; steps++) {
        const struct block *b = &flow->blocks[block];
        if (b->exit != FLOW_BRANCH || b->end - b->first != 1 || b->edge_count != 1)
            break;
        block = flow->edges[b->first_edge].to;
    }
    return block;
}

/* `x is 'a' or 'e' or 'i' or 'o' or 'u'` is searched like a phone book: x > 'i'? The comparison that
 * only tells where to go on comparing was not written. */
static bool splits_search(const struct judge *j, uint32_t n)
{
    const struct block *block = &j->flow->blocks[n];
    const struct instr *instrs = j->flow->il.instrs;
    uint32_t last = flow_last_instr(j->flow, n);
    int32_t value = 0;
    bool orders = il_info(&instrs[last])->flow == FLOW_CONDITION && instrs[last].op != OP_BEQ &&
                  instrs[last].op != OP_BEQ_S && instrs[last].op != OP_BNE_UN &&
                  instrs[last].op != OP_BNE_UN_S;
    if (!orders || last < block->first + 2 || !il_constant(&value, &instrs[last - 1]))
        return false;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        const struct block *to = &j->flow->blocks[past_jumps(j, j->flow->edges[e].to)];
        if ((to->exit != FLOW_CONDITION && to->exit != FLOW_SWITCH) || to->end - to->first < 3 ||
            !il_loads_the_same(&instrs[to->first], &instrs[last - 2]) ||
            !il_constant(&value, &instrs[to->first + 1]) ||
            j->cover.at[to->first] != j->cover.at[last])
            return false;
    }
    return true;
}

/* Before the first statement of a filter is its test of the type; of a state machine, the way back
 * to an await, unless it is the very first. */
static bool is_entry_code(const struct judge *j, uint32_t instr)
{
    uint32_t offset = j->flow->il.instrs[instr].offset;
    for (uint32_t p = 0; j->is_state_machine && p < j->points->count; p++)
        if (cover_is_visible(&j->cover, p))
            return j->points->points[p].il_offset < offset;
    return body_is_in_filter(&j->flow->body, offset);
}

static void judge_block(struct judge *j, uint32_t n)
{
    const struct block *block = &j->flow->blocks[n];
    uint32_t last = flow_last_instr(j->flow, n);
    if (block->edge_count < 2) /* it goes one way */
        return;
    if (made_test(&j->cover, n, j->is_state_machine,
                  cover_is_visible(&j->cover, j->cover.at[last])) ||
        made_pin_check(j->flow, n) || lifted_tests(j->flow, n) ||
        operands_tell_test(&j->operands, n) || operands_are_constant(&j->operands, n))
        return;
    uint32_t before = cover_before(&j->cover, last);
    j->statement[n] = before;
    if (before == NO_POINT && is_entry_code(j, last))
        return;
    bool hidden = !cover_is_visible(&j->cover, j->cover.at[last]);
    bool just_stored = operands_just_stored(&j->operands, n);
    if (hidden && !just_stored && made_dispose_check(&j->cover, n))
        return;
    bool condition =
        before != NO_POINT && block->exit == FLOW_CONDITION && (!hidden || just_stored);
    j->judgement[n] = condition ? JUDGED_CONDITION : JUDGED_DISPATCH;
    if (before == NO_POINT)
        j->statement[n] = cover_after(&j->cover, last);
    if (j->statement[n] == NO_POINT)
        j->judgement[n] = JUDGED_NONE;
}

static uint32_t find_group(struct judge *j, uint32_t block)
{
    while (j->group[block] != block)
        block = j->group[block] = j->group[j->group[block]];
    return block;
}

/* Does the way belong to a switch expression of this statement? It leads to an arm, which is the only
 * point that can lie within a point; or on to more of the expression; or no arm matched. */
static bool is_of_switch_expression(const struct judge *j, struct way_out way, uint32_t statement)
{
    if (cover_is_visible(&j->cover, way.point))
        return seq_point_is_within(&j->points->points[way.point], &j->points->points[statement]);
    return way.throws || (j->judgement[way.block] == JUDGED_DISPATCH && way.point == NO_POINT &&
                          !way.brings_value && j->statement[way.block] == statement);
}

/* All ways of a condition must be of the expression: one of `a && x switch { ... }` leads past it.
 * Behind a hidden point one is enough: there the value of the switch itself is tested. */
static bool is_in_switch_expression(const struct judge *j, uint32_t n)
{
    const struct block *block = &j->flow->blocks[n];
    uint32_t of_it = 0;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        of_it += is_of_switch_expression(j, follow(j, j->flow->edges[e].to), j->statement[n]);
    bool hidden = !cover_is_visible(&j->cover, j->cover.at[flow_last_instr(j->flow, n)]);
    return of_it == block->edge_count || (hidden && of_it != 0);
}

/* Conditions of a switch expression are only known as such once all are judged; and each makes
 * those that lead to it part of the expression too, so this goes on until nothing changes; from the
 * end, since most lead on. */
static void find_switch_expressions(struct judge *j)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = j->flow->block_count; n-- != 0;) {
            if (j->judgement[n] != JUDGED_CONDITION || !is_in_switch_expression(j, n))
                continue;
            j->judgement[n] = JUDGED_DISPATCH;
            changed = true;
        }
    }
}

/* The lowest block leads, and each group is a list in ascending order. */
static void link_groups(struct judge *j)
{
    for (uint32_t n = 0; n < j->flow->block_count; n++)
        j->next[n] = NO_BLOCK;
    for (uint32_t n = j->flow->block_count; n-- != 0;) {
        uint32_t leader = find_group(j, n);
        if (j->judgement[n] != JUDGED_DISPATCH || leader == n)
            continue;
        j->next[n] = j->next[leader];
        j->next[leader] = n;
    }
}

static bool unite(struct judge *j, uint32_t a, uint32_t b)
{
    a = find_group(j, a), b = find_group(j, b);
    j->group[a > b ? a : b] = a > b ? b : a;
    return a != b;
}

/* Does the dispatch of the switch that begins at block `to` look at a value that the group of `n`
 * looks at? */
static bool shares_value(struct judge *j, uint32_t n, uint32_t to, uint32_t dispatch)
{
    for (uint32_t m = find_group(j, n); m != NO_BLOCK; m = j->next[m])
        if (dispatch_shares(&j->cover, to, dispatch, m))
            return true;
    return false;
}

/* Unites dispatches that one leads to the other; where a switch may begin, only if `shared` and they
 * share a value. */
static bool unite_ways(struct judge *j, bool shared)
{
    bool changed = false;
    for (uint32_t n = 0; n < j->flow->block_count; n++) {
        const struct block *b = &j->flow->blocks[n];
        if (j->judgement[n] != JUDGED_DISPATCH)
            continue;
        for (uint32_t e = b->first_edge; e < b->first_edge + b->edge_count; e++) {
            uint32_t to = j->flow->edges[e].to;
            struct way_out way = follow(j, to);
            if (j->judgement[way.block] != JUDGED_DISPATCH || way.point != NO_POINT ||
                find_group(j, n) == find_group(j, way.block))
                continue;
            bool begins = dispatch_begins(&j->cover, to, way.block);
            if (!begins || (shared && shares_value(j, n, to, way.block)))
                changed |= unite(j, n, way.block);
        }
    }
    return changed;
}

static bool same_span(const struct judge *j, uint32_t a, uint32_t b)
{
    const struct seq_point *x = &j->points->points[a], *y = &j->points->points[b];
    return x->document == y->document && x->start_line == y->start_line &&
           x->start_column == y->start_column && x->end_line == y->end_line &&
           x->end_column == y->end_column;
}

/* Does the way lead to another condition on the very text that this one stands on? `foreach` over a
 * `T[,]` is a loop in a loop, both under the `in`, and one question: is there another element? */
static bool leads_to_its_twin(const struct judge *j, uint32_t n, struct way_out way)
{
    return cover_is_visible(&j->cover, way.point) && way.point != j->statement[n] &&
           same_span(j, way.point, j->statement[n]) &&
           j->flow->blocks[way.block].exit == FLOW_CONDITION &&
           j->judgement[way.block] != JUDGED_NONE;
}

static void unite_twins(struct judge *j)
{
    for (uint32_t n = 0; n < j->flow->block_count; n++) {
        const struct block *block = &j->flow->blocks[n];
        for (uint32_t e = block->first_edge;
             j->judgement[n] != JUDGED_NONE && e < block->first_edge + block->edge_count; e++) {
            struct way_out way = follow(j, j->flow->edges[e].to);
            if (!leads_to_its_twin(j, n, way))
                continue;
            j->judgement[n] = j->judgement[way.block] = JUDGED_DISPATCH;
            (void)unite(j, n, way.block);
        }
    }
}

static void group_dispatches(struct judge *j)
{
    for (uint32_t n = 0; n < j->flow->block_count; n++)
        j->group[n] = n;
    (void)unite_ways(j, false);
    do
        link_groups(j);
    while (unite_ways(j, true));
    unite_twins(j);
    link_groups(j);
}

/* --- decisions -------------------------------------------------------------------------------- */

static struct decision *add_decision(struct judge *j, uint32_t instr, uint32_t point)
{
    struct decision *decision = &j->out->items[j->out->count++];
    *decision = (struct decision){.il_offset = j->flow->il.instrs[instr].offset,
                                  .point = point,
                                  .first_part = j->out->part_count};
    return decision;
}

static void add_part(struct judge *j, struct decision *decision, uint32_t outcome,
                     enum outcome_source source, uint32_t index)
{
    j->out->parts[j->out->part_count++] = (struct outcome_part){outcome, source, index};
    decision->part_count++;
}

static void add_condition(struct judge *j, uint32_t n)
{
    const struct block *block = &j->flow->blocks[n];
    struct decision *decision = add_decision(j, flow_last_instr(j->flow, n), j->statement[n]);
    decision->outcome_count = 2;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        add_part(j, decision, j->flow->edges[e].taken, SOURCE_EDGE, e);
}

/* Nothing but `ret`, be it under the closing brace. */
static bool only_returns(const struct judge *j, uint32_t n)
{
    const struct block *block = &j->flow->blocks[n];
    for (uint32_t i = block->first; i + 1 < block->end; i++)
        if (j->flow->il.instrs[i].op != OP_NOP)
            return false;
    return block->exit == FLOW_RETURN;
}

/* Ways out that are the same outcome have the same key. */
static uint64_t outcome_key(const struct judge *j, struct way_out way)
{
    if (only_returns(j, way.block))
        return UINT64_MAX;
    return way.point != NO_POINT ? way.point : (uint64_t)1 << 32 | way.block;
}

/* One switch, while its outcomes are gathered. */
struct switch_job {
    struct judge *judge;
    uint32_t leader;
    struct decision *decision;
    uint64_t *keys; /* of its outcomes */
    uint32_t arm;   /* the first visible point where a way comes out */
};

static bool is_member(struct judge *j, uint32_t leader, uint32_t n)
{
    return j->judgement[n] == JUDGED_DISPATCH && find_group(j, n) == leader;
}

/* Do only branches lead to the block, one of them of this dispatch? So it is with an arm, but not with
 * what follows the switch, where arms end. */
static bool is_arm(struct judge *j, uint32_t leader, uint32_t n)
{
    const struct block *block = &j->flow->blocks[n];
    bool from_dispatch = false;
    for (uint32_t i = 0; i < block->in_count; i++) {
        uint32_t from = flow_edge_in(j->flow, block, i)->from;
        const struct block *source = &j->flow->blocks[from];
        for (unsigned steps = 0; steps < JUMPS_MAX && source->in_count == 1 &&
                                 source->exit == FLOW_BRANCH && source->end - source->first == 1;
             steps++) {
            from = flow_edge_in(j->flow, source, 0)->from;
            source = &j->flow->blocks[from];
        }
        if (source->edge_count < 2)
            return false;
        from_dispatch |= is_member(j, leader, from);
    }
    return from_dispatch;
}

/* Is the next block still of the code that `point` holds for? */
static bool is_still_under(const struct judge *j, uint32_t n, uint32_t point)
{
    return n < j->flow->block_count && j->cover.at[flow_last_instr(j->flow, n)] == point;
}

/* Does the way come out at the guard of an arm, `when c`? If c does not hold, it goes on with the
 * dispatch, or with another arm. */
static bool is_guard(struct judge *j, uint32_t leader, struct way_out way, unsigned nested)
{
    if (way.point == NO_POINT || nested == JUMPS_MAX)
        return false;
    for (uint32_t n = way.block; is_still_under(j, n, way.point); n++) {
        const struct block *block = &j->flow->blocks[n];
        for (uint32_t e = block->first_edge;
             block->edge_count > 1 && e < block->first_edge + block->edge_count; e++) {
            struct way_out next = follow(j, j->flow->edges[e].to);
            bool goes_on =
                next.point == NO_POINT && next.block != leader && is_member(j, leader, next.block);
            bool forward = next.point != NO_POINT && next.point > way.point;
            if (goes_on ||
                (next.point != NO_POINT && next.point != way.point &&
                 is_arm(j, leader, next.block)) ||
                (forward && is_guard(j, leader, next, nested + 1)))
                return true;
        }
    }
    return false;
}

static void add_way(struct switch_job *job, uint32_t n, uint32_t edge, unsigned nested);

/* An arm is taken when its guard holds: its ways are those out of the guard. */
static void add_guard(struct switch_job *job, struct way_out guard, unsigned nested)
{
    const struct judge *j = job->judge;
    for (uint32_t n = guard.block; is_still_under(j, n, guard.point); n++) {
        const struct block *block = &j->flow->blocks[n];
        for (uint32_t e = block->first_edge;
             block->edge_count > 1 && e < block->first_edge + block->edge_count; e++) {
            struct way_out way = follow(j, j->flow->edges[e].to);
            if (way.point != NO_POINT || !is_still_under(j, way.block, guard.point))
                add_way(job, n, e, nested + 1);
        }
    }
}

static void add_way(struct switch_job *job, uint32_t n, uint32_t edge, unsigned nested)
{
    struct judge *j = job->judge;
    struct decision *decision = job->decision;
    struct way_out way = follow(j, j->flow->edges[edge].to);
    bool to_twin = leads_to_its_twin(j, n, way);
    decision->is_switch &= !to_twin;
    if (way.throws || ((way.point == NO_POINT || to_twin) && is_member(j, job->leader, way.block)))
        return;
    if (way.point != NO_POINT && job->arm == NO_POINT)
        job->arm = way.point;
    if (is_guard(j, job->leader, way, 0) && nested < JUMPS_MAX) {
        if (j->guard_of[way.block] != job->leader)
            add_guard(job, way, nested);
        j->guard_of[way.block] = job->leader;
        return;
    }
    uint32_t outcome = 0;
    while (outcome < decision->outcome_count && job->keys[outcome] != outcome_key(j, way))
        outcome++;
    if (outcome == decision->outcome_count)
        job->keys[decision->outcome_count++] = outcome_key(j, way);
    add_part(j, decision, outcome, SOURCE_EDGE, edge);
}

static void add_dispatch(struct judge *j, uint32_t leader, uint64_t *keys)
{
    struct switch_job job = {.judge = j, .leader = leader, .keys = keys, .arm = NO_POINT};
    job.decision = add_decision(j, flow_last_instr(j->flow, leader), j->statement[leader]);
    job.decision->is_switch = true;
    for (uint32_t n = leader; n != NO_BLOCK; n = j->next[n]) {
        const struct block *block = &j->flow->blocks[n];
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
            add_way(&job, n, e, 0);
    }
    if (job.arm != NO_POINT && j->cover.outer[job.arm] != NO_POINT)
        job.decision->point = j->cover.outer[job.arm];
    if (job.decision->outcome_count >= 2)
        return;
    j->out->part_count = job.decision->first_part;
    j->out->count--;
}

static void add_value(struct judge *j, uint32_t n)
{
    uint32_t point = cover_before(&j->cover, flow_last_instr(j->flow, n));
    if (point == NO_POINT)
        return;
    struct decision *decision = add_decision(j, flow_last_instr(j->flow, n), point);
    decision->outcome_count = 2;
    add_part(j, decision, 0, SOURCE_COUNTER, j->plan->value_counter[n]);
    add_part(j, decision, 1, SOURCE_COUNTER, j->plan->value_counter[n] + 1);
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool alloc_judge(struct judge *j, struct arena *arena, struct err *err)
{
    const struct flow *flow = j->flow;
    j->judgement = ARENA_NEW(arena, uint8_t, flow->block_count, err);
    j->statement = ARENA_NEW(arena, uint32_t, flow->block_count, err);
    j->guard_of = arena_raw(arena, flow->block_count, sizeof *j->guard_of, err);
    j->group = ARENA_NEW(arena, uint32_t, flow->block_count, err);
    j->next = ARENA_NEW(arena, uint32_t, flow->block_count, err);
    j->out->items = ARENA_NEW(arena, struct decision, (size_t)flow->block_count * 2, err);
    j->out->parts = ARENA_NEW(arena, struct outcome_part,
                              (size_t)flow->edge_count + 2 * (size_t)flow->block_count, err);
    for (uint32_t n = 0; j->guard_of != NULL && n < flow->block_count; n++)
        j->guard_of[n] = NO_BLOCK;
    return j->judgement != NULL && j->statement != NULL && j->guard_of != NULL &&
           j->group != NULL && j->next != NULL && j->out->items != NULL && j->out->parts != NULL;
}

bool decide(struct decisions *out, const struct flow *flow, const struct plan *plan,
            const struct seq_points *points, bool is_state_machine, struct arena *arena,
            struct err *err)
{
    struct judge j = {.flow = flow,
                      .plan = plan,
                      .points = points,
                      .is_state_machine = is_state_machine,
                      .out = out};
    *out = (struct decisions){.count = 0};
    uint64_t *keys = ARENA_NEW(arena, uint64_t, flow->edge_count, err);
    if (keys == NULL || !alloc_judge(&j, arena, err) ||
        !cover_make(&j.cover, flow, points, is_state_machine, arena, err))
        return false;
    j.operands = (struct operands){flow, &j.cover, plan, is_state_machine};
    for (uint32_t n = 0; n < flow->block_count; n++)
        judge_block(&j, n);
    find_switch_expressions(&j);
    for (uint32_t n = 0; n < flow->block_count; n++)
        if (j.judgement[n] == JUDGED_CONDITION && splits_search(&j, n))
            j.judgement[n] = JUDGED_NONE;
    group_dispatches(&j);
    for (uint32_t n = 0; n < flow->block_count; n++) {
        if (operands_decide(&j.operands, n))
            add_value(&j, n);
        if (j.judgement[n] == JUDGED_CONDITION)
            add_condition(&j, n);
        else if (j.judgement[n] == JUDGED_DISPATCH && find_group(&j, n) == n)
            add_dispatch(&j, n, keys);
    }
    return true;
}

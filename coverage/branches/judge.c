/* How a branch is judged, in this order:
 *
 *   1. What it tests (compiler_made.h, vb_made.h, fsharp_made.h): the state of a state machine,
 *      IsCompleted of an awaiter, a cached delegate are the compiler's.
 *   2. Is its value made of operands that were counted where they were made (`a && b` kept in a
 *      variable)? Then they are the decisions, and it is none.
 *   3. Its sequence point. Visible: a condition on that statement, unless all its ways are of a
 *      switch expression in it, or it only splits the search for a constant. Hidden right behind
 *      the store of what it tests: the same, as Debug builds split a condition in two. Hidden
 *      otherwise: part of a dispatch.
 *      F# (fsharp_match.h) and Visual Basic (vb_select.h) have switches under visible points, too.
 *   4. Branches of a dispatch that run into each other are one switch. Its outcomes are the visible
 *      points, or ends of the method, where its ways come out; ways on which only the compiler
 *      throws are none. With one outcome left it is no decision. */
#include "coverage/branches/judge.h"

#include "coverage/branches/compiler_made.h"
#include "coverage/branches/dispatch.h"
#include "coverage/branches/fsharp_match.h"
#include "coverage/branches/lifted.h"
#include "coverage/branches/vb_select.h"

enum {
    JUMPS_MAX = 8,
};

/* The one way on, be it through an await; NO_BLOCK when there are more, or none. */
static uint32_t next_of_way(const struct judge *j, uint32_t block)
{
    const struct block *b = &j->flow->blocks[block];
    if (b->edge_count == 1)
        return j->flow->edges[b->first_edge].to;
    if (b->edge_count > 1 && inlined_tests(&j->inlined, block))
        return inlined_goes_on(&j->inlined, block);
    return j->is_state_machine ? made_await_goes_on(j->flow, block) : NO_BLOCK;
}

struct way_out judge_follow(const struct judge *j, uint32_t block)
{
    struct way_out way = {NO_POINT, block, false, false};
    uint32_t depth = j->flow->blocks[block].depth;
    for (uint32_t steps = 0; steps <= j->flow->block_count; steps++) {
        const struct block *b = &j->flow->blocks[way.block];
        way.brings_value |= b->depth > depth && b->in_count > 1;
        way.point = j->cover.opens[way.block];
        if (way.point != NO_POINT || j->judgement[way.block] == JUDGED_DISPATCH)
            return way;
        way.throws =
            made_throw(j->flow, way.block) || made_fsharp_throw(&j->fsharp, j->flow, way.block);
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

/* Visual Basic, of a Using with an Await in it; nothing else that disposes is so short. */
static bool stands_on_end_using(const struct judge *j, uint32_t point)
{
    if (j->language != LANGUAGE_VISUAL_BASIC || point == NO_POINT)
        return false;
    const struct seq_point *p = &j->points->points[point];
    return p->start_line == p->end_line &&
           p->end_column - p->start_column == sizeof "End Using" - 1;
}

static void judge_block(struct judge *j, uint32_t n)
{
    const struct block *block = &j->flow->blocks[n];
    uint32_t last = flow_last_instr(j->flow, n);
    if (block->edge_count < 2) /* it goes one way */
        return;
    if (inlined_tests(&j->inlined, n))
        return;
    if (made_test(&j->cover, n, j->is_state_machine,
                  cover_is_visible(&j->cover, j->cover.at[last])) ||
        made_fsharp_test(&j->fsharp, &j->cover, n) || made_pin_check(j->flow, n) ||
        lifted_tests(j->flow, n) || operands_tell_test(&j->operands, n) ||
        operands_are_constant(&j->operands, n))
        return;
    uint32_t before = cover_before(&j->cover, last);
    j->statement[n] = before;
    if (before == NO_POINT && is_entry_code(j, last))
        return;
    bool hidden = !cover_is_visible(&j->cover, j->cover.at[last]);
    bool just_stored = operands_just_stored(&j->operands, n);
    bool of_using = (hidden && !just_stored) || stands_on_end_using(j, before);
    if (of_using && made_dispose_check(&j->cover, n))
        return;
    bool condition =
        before != NO_POINT && block->exit == FLOW_CONDITION && (!hidden || just_stored);
    j->judgement[n] = condition ? JUDGED_CONDITION : JUDGED_DISPATCH;
    if (before == NO_POINT)
        j->statement[n] = cover_after(&j->cover, last);
    if (j->statement[n] == NO_POINT)
        j->judgement[n] = JUDGED_NONE;
}

uint32_t judge_group(struct judge *j, uint32_t block)
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
        of_it += is_of_switch_expression(j, judge_follow(j, j->flow->edges[e].to), j->statement[n]);
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
        uint32_t leader = judge_group(j, n);
        if (j->judgement[n] != JUDGED_DISPATCH || leader == n)
            continue;
        j->next[n] = j->next[leader];
        j->next[leader] = n;
    }
}

bool judge_unite(struct judge *j, uint32_t a, uint32_t b)
{
    a = judge_group(j, a), b = judge_group(j, b);
    j->group[a > b ? a : b] = a > b ? b : a;
    return a != b;
}

/* Does the dispatch of the switch that begins at block `to` look at a value that the group of `n`
 * looks at? */
static bool shares_value(struct judge *j, uint32_t n, uint32_t to, uint32_t dispatch)
{
    for (uint32_t m = judge_group(j, n); m != NO_BLOCK; m = j->next[m])
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
            struct way_out way = judge_follow(j, to);
            if (j->judgement[way.block] != JUDGED_DISPATCH || way.point != NO_POINT ||
                judge_group(j, n) == judge_group(j, way.block))
                continue;
            bool begins = dispatch_begins(&j->cover, to, way.block);
            if (!begins || (shared && shares_value(j, n, to, way.block)))
                changed |= judge_unite(j, n, way.block);
        }
    }
    return changed;
}

bool judge_leads_to_twin(const struct judge *j, uint32_t n, struct way_out way)
{
    return cover_is_visible(&j->cover, way.point) && way.point != j->statement[n] &&
           seq_point_order(&j->points->points[way.point], &j->points->points[j->statement[n]]) ==
               0 &&
           j->flow->blocks[way.block].exit == FLOW_CONDITION &&
           j->judgement[way.block] != JUDGED_NONE;
}

static void unite_twins(struct judge *j)
{
    for (uint32_t n = 0; n < j->flow->block_count; n++) {
        const struct block *block = &j->flow->blocks[n];
        for (uint32_t e = block->first_edge;
             j->judgement[n] != JUDGED_NONE && e < block->first_edge + block->edge_count; e++) {
            struct way_out way = judge_follow(j, j->flow->edges[e].to);
            if (!judge_leads_to_twin(j, n, way))
                continue;
            j->judgement[n] = j->judgement[way.block] = JUDGED_DISPATCH;
            (void)judge_unite(j, n, way.block);
        }
    }
}

static void group_dispatches(struct judge *j)
{
    (void)unite_ways(j, false);
    do
        link_groups(j);
    while (unite_ways(j, true));
    unite_twins(j);
    link_groups(j);
}

static bool alloc_judge(struct judge *j, struct arena *arena, struct err *err)
{
    uint32_t count = j->flow->block_count;
    j->judgement = ARENA_NEW(arena, uint8_t, count, err);
    j->statement = ARENA_NEW(arena, uint32_t, count, err);
    j->group = ARENA_NEW(arena, uint32_t, count, err);
    j->next = ARENA_NEW(arena, uint32_t, count, err);
    return j->judgement != NULL && j->statement != NULL && j->group != NULL && j->next != NULL;
}

bool judge_make(struct judge *out, const struct statements_source *source, const struct plan *plan,
                struct arena *arena, struct err *err)
{
    const struct flow *flow = source->flow;
    *out = (struct judge){.flow = flow,
                          .plan = plan,
                          .points = source->points,
                          .language = source->language,
                          .is_state_machine = source->is_state_machine};
    if (!alloc_judge(out, arena, err) || !cover_make(&out->cover, source, arena, err) ||
        !made_fsharp_make(&out->fsharp, source, arena, err) ||
        !inlined_find(&out->inlined, &out->cover, arena, err))
        return false;
    out->operands = (struct operands){flow,
                                      &out->cover,
                                      &out->inlined,
                                      plan,
                                      source->is_state_machine,
                                      source->language == LANGUAGE_FSHARP};
    for (uint32_t n = 0; n < flow->block_count; n++)
        judge_block(out, n);
    for (uint32_t n = 0; n < flow->block_count; n++)
        out->group[n] = n;
    if (out->language != LANGUAGE_FSHARP) {
        select_find(out);
        find_switch_expressions(out);
    } else if (!match_find(out, arena, err)) {
        return false;
    }
    for (uint32_t n = 0; n < flow->block_count; n++)
        if (out->judgement[n] == JUDGED_CONDITION && splits_search(out, n))
            out->judgement[n] = JUDGED_NONE;
    group_dispatches(out);
    return true;
}

#include "coverage/branches/decisions.h"

#include "coverage/branches/classify.h"
#include "coverage/branches/guard.h"
#include "coverage/branches/operands.h"
#include "coverage/branches/rules.h"
#include "coverage/branches/switch_home.h"

enum {
    GUARDS_NESTED_MAX = 256,
};

/* Decisions under construction. */
struct decision_maker {
    struct branches branches;
    struct decisions *out;
    uint32_t part_room;
    uint64_t *keys;     /* per outcome of one switch */
    uint32_t *guard_of; /* per block where a guard begins: the leader of its switch */
    /* F#, per block with a value that decides: the next copy of the operand, or NO_INDEX; the block
     * itself once it is added */
    uint32_t *value_copy;
};

/* One switch, while its outcomes are collected. */
struct switch_job {
    uint32_t leader;
    uint32_t arm;        /* the first visible point where a way comes out */
    uint32_t first_text; /* the one of these points that comes first in the text */
    unsigned nested;     /* depth of guards that follow guards */
    struct decision *decision;
};

static struct decision *begin_decision(struct decision_maker *m, uint32_t block, uint32_t point)
{
    const struct flow *flow = m->branches.flow;
    struct decision *decision = &m->out->items[m->out->count++];
    *decision = (struct decision){.il_offset = flow->il.instrs[flow_last_instr(flow, block)].offset,
                                  .point = branches_own_point(&m->branches, point),
                                  .first_part = m->out->part_count};
    return decision;
}

/* There is room for all ways of compiler-made code; for other code, parts may be dropped. */
static void add_outcome_part(struct decision_maker *m, struct decision *decision, uint32_t outcome,
                             enum outcome_source source, uint32_t index)
{
    if (m->out->part_count == m->part_room)
        return;
    m->out->parts[m->out->part_count++] = (struct outcome_part){outcome, source, index, NO_INDEX};
    decision->part_count++;
}

/* Compared by source text, because the code after a condition is copied, too. */
static uint32_t text_after(const struct branches *branches, uint32_t edge)
{
    uint32_t point = branches_follow_edge(branches, edge).point;
    return point != NO_INDEX ? branches_first_point(branches, point) : NO_INDEX;
}

static bool leads_to(const struct branches *branches, uint32_t n, uint32_t end)
{
    const struct block *block = &branches->flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (text_after(branches, e) == end)
            return true;
    return false;
}

/* A way out of the condition that all its copies share: the one where it holds, or the other
 * one. */
static uint32_t common_end(const struct branches *branches, uint32_t n)
{
    const struct block *block = &branches->flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        uint32_t end = text_after(branches, e), copy = branches->copy[n];
        while (end != NO_INDEX && copy != NO_INDEX && leads_to(branches, copy, end))
            copy = branches->copy[copy];
        if (end != NO_INDEX && copy == NO_INDEX)
            return end;
    }
    return NO_INDEX;
}

static void add_condition_ways(struct decision_maker *m, struct decision *decision, uint32_t n)
{
    decision->of_constant = m->branches.ways[n] != NULL;
    for (const struct condition_way *way = m->branches.ways[n]; way != NULL; way = way->next)
        add_outcome_part(m, decision, way->holds, SOURCE_EDGE, way->edge);
}

/* A condition and its copies, of which it is the first. */
static void add_condition(struct decision_maker *m, uint32_t first)
{
    const struct branches *branches = &m->branches;
    struct decision *decision = begin_decision(m, first, branches->statement[first]);
    uint32_t end = branches->copy[first] != NO_INDEX ? common_end(branches, first) : NO_INDEX;
    decision->outcome_count = 2;
    add_condition_ways(m, decision, first);
    for (uint32_t n = decision->part_count == 0 ? first : NO_INDEX, next; n != NO_INDEX; n = next) {
        const struct block *block = &branches->flow->blocks[n];
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            bool holds =
                end != NO_INDEX ? text_after(branches, e) == end : branches->flow->edges[e].taken;
            add_outcome_part(m, decision, holds, SOURCE_EDGE, e);
        }
        next = branches->copy[n];
        branches->copy[n] = n; /* done */
    }
    uint32_t of_struct = boxed_default_goes_on(branches->flow, first);
    if (of_struct != NO_INDEX)
        add_outcome_part(m, decision, true, SOURCE_EDGE, of_struct);
    struct lifted_constant null;
    if (lifted_null(&null, branches, first))
        add_outcome_part(m, decision, null.value, SOURCE_EDGE, null.edge);
    struct vb_loop_start start = vb_loop_start(branches, first);
    if (start.enters != NO_INDEX)
        add_outcome_part(m, decision, true, SOURCE_EDGE, start.enters);
    if (start.skips != NO_INDEX)
        add_outcome_part(m, decision, false, SOURCE_EDGE, start.skips);
}

static void add_value_decision(struct decision_maker *m, uint32_t n)
{
    const struct point_map *map = &m->branches.map;
    uint32_t point = point_map_at_end(map, n);
    uint32_t last = flow_last_instr(map->flow, n);
    /* F# hides parts of a statement, and C# the end of a filter; else what is hidden has no line */
    bool is_shown = m->branches.language == LANGUAGE_FSHARP ||
                    point_map_is_visible(map, map->at[last]) ||
                    body_is_in_filter(&map->flow->body, map->flow->il.instrs[last].offset);
    if (point == NO_INDEX || !is_shown)
        return;
    struct decision *decision = begin_decision(m, n, point);
    decision->outcome_count = 2;
    for (uint32_t copy = n, next; copy != NO_INDEX; copy = next) {
        add_outcome_part(m, decision, 0, SOURCE_COUNTER, m->branches.plan->value_counter[copy]);
        add_outcome_part(m, decision, 1, SOURCE_COUNTER, m->branches.plan->value_counter[copy] + 1);
        next = m->value_copy[copy];
        m->value_copy[copy] = copy;
    }
    add_condition_ways(m, decision, n);
    struct lifted_constant constants[LIFTED_CONSTANTS_MAX];
    uint32_t count = lifted_constants(constants, m->branches.flow, n);
    for (uint32_t i = 0; i < count; i++)
        add_outcome_part(m, decision, constants[i].value, SOURCE_EDGE, constants[i].edge);
}

static bool is_value(const struct decision_maker *m, uint32_t n)
{
    return operands_decide(&m->branches, n) &&
           !fsharp_machine_hands_on_flag(m->branches.fsharp, m->branches.flow, n);
}

/* The last operand of a guard is compiled as often as the guard. Two operands with one point are no
 * copies of each other. */
static bool link_values(struct decision_maker *m, struct arena *arena, struct err *err)
{
    const struct branches *branches = &m->branches;
    uint32_t *last = arena_no_indexes(arena, branches->points->count, err); /* per span */
    m->value_copy = arena_no_indexes(arena, branches->flow->block_count, err);
    if (last == NULL || m->value_copy == NULL)
        return false;
    for (uint32_t n = branches->flow->block_count;
         branches->language == LANGUAGE_FSHARP && n-- != 0;) {
        uint32_t point = point_map_at_end(&branches->map, n);
        if (point == NO_INDEX || !is_value(m, n))
            continue;
        uint32_t *next = &last[branches_first_point(branches, point)];
        if (*next != NO_INDEX && point_map_at_end(&branches->map, *next) != point)
            m->value_copy[n] = *next;
        *next = n;
    }
    return true;
}

/* --- switches --------------------------------------------------------------------------------- */

/* Nothing but `ret`, including one under the closing brace. */
static bool is_bare_return(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    for (uint32_t i = block->first; i + 1 < block->end; i++)
        if (flow->il.instrs[i].op != OP_NOP)
            return false;
    return block->exit == FLOW_RETURN;
}

/* Ways out with the same outcome have the same key. Where a block ends, some ways lead to its brace
 * and others past it. */
static uint64_t outcome_key(const struct branches *branches, struct way_out way)
{
    const struct flow *flow = branches->flow;
    for (uint32_t steps = 0;
         steps < flow->block_count && way.point != NO_INDEX &&
         flow->blocks[way.block].edge_count == 1 && branches_is_brace(&branches->map, way.point);
         steps++)
        way = branches_follow_edge(branches, flow->blocks[way.block].first_edge);
    if (is_bare_return(flow, way.block))
        return UINT64_MAX;
    return way.point != NO_INDEX ? way.point : (uint64_t)1 << 32 | way.block;
}

static void add_way_outcome(struct decision_maker *m, struct decision *decision, struct way_out way,
                            uint32_t edge)
{
    uint64_t key = outcome_key(&m->branches, way);
    uint32_t outcome = 0;
    while (outcome < decision->outcome_count && m->keys[outcome] != key)
        outcome++;
    if (outcome == decision->outcome_count)
        m->keys[decision->outcome_count++] = key;
    add_outcome_part(m, decision, outcome, SOURCE_EDGE, edge);
}

static void add_switch_way(struct decision_maker *m, struct switch_job *job, uint32_t n,
                           uint32_t edge);

/* Adds each way out of a guard; false if there is none. Optimised code drops the value of a guard
 * whose outcomes lead to the same code, and goes on there. */
static bool add_guard(struct decision_maker *m, struct switch_job *job, struct way_out way)
{
    const struct branches *branches = &m->branches;
    struct guard_row row = guard_row(branches, way);
    uint32_t first = row.first;
    while (first + 1 < row.end && !guard_row_tests(branches, &row, first))
        first++;
    if (first == row.end ||
        (!guard_row_tests(branches, &row, first) && branches->flow->blocks[first].edge_count != 1))
        return branches->language == LANGUAGE_FSHARP; /* its guards may be inlined */
    job->nested++;
    for (uint32_t g = first; g < row.end; g++) {
        const struct block *block = &branches->flow->blocks[g];
        if ((g != first && !guard_row_tests(branches, &row, g)) || m->guard_of[g] == job->leader)
            continue;
        m->guard_of[g] = job->leader;
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
            if (guard_row_leaves(branches, &row, branches_follow_edge(branches, e)))
                add_switch_way(m, job, g, e);
    }
    job->nested--;
    return true;
}

/* Adds a way out of block `n`; if it leads to a guard, each way out of that guard. */
static void add_switch_way(struct decision_maker *m, struct switch_job *job, uint32_t n,
                           uint32_t edge)
{
    struct branches *branches = &m->branches;
    struct way_out way = branches_follow_edge(branches, edge);
    bool to_twin = branches_leads_to_twin(branches, n, way);
    job->decision->is_switch &= !to_twin;
    if (way.throws ||
        ((way.point == NO_INDEX || to_twin) && guard_is_member(branches, job->leader, way.block)) ||
        (way.point != NO_INDEX && branches->language == LANGUAGE_FSHARP &&
         guard_read(branches, way.point) == READS_PATTERN))
        return;
    if (way.point != NO_INDEX && job->arm == NO_INDEX)
        job->arm = way.point;
    if (way.point != NO_INDEX && (job->first_text == NO_INDEX ||
                                  seq_point_order(&branches->points->points[way.point],
                                                  &branches->points->points[job->first_text]) < 0))
        job->first_text = way.point;
    bool guard = way.point != NO_INDEX ? switch_home_of_point(branches, job->leader, way.point) &&
                                             guard_is(branches, job->leader, way)
                                       : guard_is_value(branches, way);
    if (job->nested == GUARDS_NESTED_MAX || !guard || !add_guard(m, job, way))
        add_way_outcome(m, job->decision, way, edge);
}

/* Takes back what was added last. */
static void drop_decision(struct decision_maker *m)
{
    m->out->part_count = m->out->items[--m->out->count].first_part;
}

static void add_dispatch(struct decision_maker *m, uint32_t leader)
{
    const struct branches *branches = &m->branches;
    struct switch_job job = {.leader = leader, .arm = NO_INDEX, .first_text = NO_INDEX};
    job.decision = begin_decision(m, leader, branches->statement[leader]);
    job.decision->is_switch = true;
    for (uint32_t n = leader; n != NO_INDEX; n = branches->next[n]) {
        const struct block *block = &branches->flow->blocks[n];
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
            add_switch_way(m, &job, n, e);
    }
    if (branches->guarded[leader] != NO_INDEX) {
        uint32_t guard = branches->guarded[leader];
        add_guard(m, &job, (struct way_out){guard, guard_block(branches, guard), false, false});
        job.arm = NO_INDEX;
    }
    /* `match v with` has a point of its own in F# */
    uint32_t at = branches->map.at[flow_last_instr(branches->flow, leader)];
    bool has_point = branches->language == LANGUAGE_FSHARP &&
                     point_map_is_visible(&branches->map, at) && at == branches->statement[leader];
    if (job.arm != NO_INDEX && branches->map.outer[job.arm] != NO_INDEX && !has_point)
        job.decision->point = branches_own_point(branches, branches->map.outer[job.arm]);
    if (branches->borrowed != NULL && branches->borrowed[job.decision->point] &&
        job.first_text != NO_INDEX)
        job.decision->point = job.first_text; /* `function` has no text of its own */
    if (job.decision->outcome_count != 2)     /* twins that come out in more than two places */
        job.decision->is_switch = true;
    if (job.decision->outcome_count >= 2)
        return;
    branches_mark_left_over(&m->branches, leader);
    drop_decision(m);
}

/* Is it an operand that begins at the point? */
static bool begins_operand(const struct decision_maker *m, uint32_t point)
{
    const struct branches *branches = &m->branches;
    const struct flow *flow = branches->flow;
    for (uint32_t n = guard_block(branches, point);;
         n = flow->edges[flow->blocks[n].first_edge].to) {
        if (is_value(m, n))
            return true;
        if (flow->blocks[n].exit != FLOW_NEXT ||
            (branches->map.opens[n] != NO_INDEX && branches->map.opens[n] != point))
            return false;
    }
}

/* A match that asks nothing but guards, of which the branch at the end of block `first` is the
 * first. */
static void add_match_of_guards(struct decision_maker *m, uint32_t first)
{
    const struct branches *branches = &m->branches;
    struct switch_job job = {.leader = first, .arm = NO_INDEX, .first_text = NO_INDEX};
    uint32_t guard = branches->statement[first];
    bool is_match = true;
    job.decision = begin_decision(m, first, branches->match_of_guards[first]);
    job.decision->is_switch = true;
    add_guard(m, &job, (struct way_out){guard, guard_block(branches, guard), false, false});
    for (uint32_t i = 0;
         i < job.decision->outcome_count && is_match && branches->language == LANGUAGE_FSHARP; i++)
        is_match = m->keys[i] <= UINT32_MAX && !begins_operand(m, (uint32_t)m->keys[i]);
    if (!is_match || job.decision->outcome_count < 2)
        drop_decision(m);
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Where the way of an outcome leads. Copies of a point have one name, that of the first. */
static uint32_t place_of_part(const struct branches *branches, const struct outcome_part *part)
{
    if (part->source != SOURCE_EDGE)
        return PLACE_UNKNOWN;
    struct way_out way = branches_follow_edge(branches, part->index);
    if (way.throws || (way.point == NO_INDEX && branches->class[way.block] == BRANCH_DISPATCH))
        return PLACE_UNKNOWN;
    return way.point != NO_INDEX && branches->language == LANGUAGE_FSHARP
               ? branches_first_point(branches, way.point)
               : way.point;
}

static bool alloc_maker(struct decision_maker *m, struct arena *arena, struct err *err)
{
    const struct flow *flow = m->branches.flow;
    /* for conditions, for guards a second time, for values */
    size_t room = 2 * (size_t)flow->edge_count + 2 * (size_t)flow->block_count;
    room += m->branches.way_count;
    m->part_room = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
    m->keys = arena_raw(arena, flow->edge_count, sizeof *m->keys, err);
    m->guard_of = arena_no_indexes(arena, flow->block_count, err);
    m->out->items = ARENA_NEW(arena, struct decision, (size_t)flow->block_count * 2, err);
    m->out->parts = ARENA_NEW(arena, struct outcome_part, room, err);
    return m->keys != NULL && m->guard_of != NULL && m->out->items != NULL && m->out->parts != NULL;
}

bool decide(struct decisions *out, const struct statements_source *source, const struct plan *plan,
            struct arena *arena, struct err *err)
{
    struct decision_maker m = {.out = out};
    *out = (struct decisions){.count = 0};
    if (!branches_classify(&m.branches, source, plan, arena, err) || !alloc_maker(&m, arena, err) ||
        !link_values(&m, arena, err))
        return false;
    out->points = m.branches.points;
    out->map = m.branches.map;
    out->rule = m.branches.rule;
    for (uint32_t n = 0; n < source->flow->block_count; n++) {
        if (is_value(&m, n) && m.value_copy[n] != n)
            add_value_decision(&m, n);
        if (m.branches.class[n] == BRANCH_CONDITION && m.branches.copy[n] != n)
            add_condition(&m, n);
        if (m.branches.match_of_guards[n] != NO_INDEX)
            add_match_of_guards(&m, n);
        if (m.branches.class[n] == BRANCH_DISPATCH && branches_group(&m.branches, n) == n)
            add_dispatch(&m, n);
    }
    for (uint32_t i = 0; i < out->part_count; i++)
        out->parts[i].place = place_of_part(&m.branches, &out->parts[i]);
    return expressions_find(out, &m.branches, arena, err);
}

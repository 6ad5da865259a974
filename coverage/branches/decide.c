#include "coverage/branches/decide.h"

#include "coverage/branches/guard.h"
#include "coverage/branches/lifted.h"

enum {
    GUARDS_NESTED_MAX = 256,
};

/* Decisions while they are made. */
struct maker {
    struct judge judge;
    struct decisions *out;
    uint32_t part_room;
    uint64_t *keys;     /* of the outcomes of one switch */
    uint32_t *guard_of; /* of blocks where a guard begins: the leader of the switch that knows it */
};

/* One switch, while its outcomes are gathered. */
struct switch_job {
    uint32_t leader;
    uint32_t arm;    /* the first visible point where a way comes out */
    unsigned nested; /* guards behind guards */
    struct decision *decision;
};

static struct decision *add_decision(struct maker *m, uint32_t block, uint32_t point)
{
    const struct flow *flow = m->judge.flow;
    struct decision *decision = &m->out->items[m->out->count++];
    *decision = (struct decision){.il_offset = flow->il.instrs[flow_last_instr(flow, block)].offset,
                                  .point = point,
                                  .first_part = m->out->part_count};
    return decision;
}

/* There is room for all ways of what a compiler makes; in other code parts may be left out. */
static void add_part(struct maker *m, struct decision *decision, uint32_t outcome,
                     enum outcome_source source, uint32_t index)
{
    if (m->out->part_count == m->part_room)
        return;
    m->out->parts[m->out->part_count++] = (struct outcome_part){outcome, source, index};
    decision->part_count++;
}

static void add_condition(struct maker *m, uint32_t n)
{
    const struct block *block = &m->judge.flow->blocks[n];
    struct decision *decision = add_decision(m, n, m->judge.statement[n]);
    decision->outcome_count = 2;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        add_part(m, decision, m->judge.flow->edges[e].taken, SOURCE_EDGE, e);
}

/* By the text there: code behind a condition is copied, too. */
static uint32_t end_of(const struct judge *j, uint32_t block)
{
    uint32_t point = judge_follow(j, block).point;
    return point != NO_POINT ? j->span[point] : NO_POINT;
}

static bool leads_to(const struct judge *j, uint32_t n, uint32_t end)
{
    const struct block *block = &j->flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (end_of(j, j->flow->edges[e].to) == end)
            return true;
    return false;
}

/* Where a way of the condition leads that each of its copies has, too: where it holds, or does not. */
static uint32_t common_end(const struct judge *j, uint32_t n)
{
    const struct block *block = &j->flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        uint32_t end = end_of(j, j->flow->edges[e].to), copy = j->copy[n];
        while (end != NO_POINT && copy != NO_BLOCK && leads_to(j, copy, end))
            copy = j->copy[copy];
        if (end != NO_POINT && copy == NO_BLOCK)
            return end;
    }
    return NO_POINT;
}

/* Conditions that were written once; at the first of them. */
static void add_copies(struct maker *m, uint32_t first)
{
    const struct judge *j = &m->judge;
    struct decision *decision = add_decision(m, first, j->statement[first]);
    uint32_t end = common_end(j, first);
    decision->outcome_count = 2;
    for (uint32_t n = first, next; n != NO_BLOCK; n = next) {
        const struct block *block = &j->flow->blocks[n];
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            bool holds =
                end != NO_POINT ? end_of(j, j->flow->edges[e].to) == end : j->flow->edges[e].taken;
            add_part(m, decision, holds, SOURCE_EDGE, e);
        }
        next = j->copy[n];
        j->copy[n] = n; /* done */
    }
}

static void add_value(struct maker *m, uint32_t n)
{
    uint32_t point = cover_before(&m->judge.cover, flow_last_instr(m->judge.flow, n));
    if (point == NO_POINT)
        return;
    struct decision *decision = add_decision(m, n, point);
    decision->outcome_count = 2;
    add_part(m, decision, 0, SOURCE_COUNTER, m->judge.plan->value_counter[n]);
    add_part(m, decision, 1, SOURCE_COUNTER, m->judge.plan->value_counter[n] + 1);
    struct lifted_constant constants[2];
    uint32_t count = lifted_constants(constants, m->judge.flow, n);
    for (uint32_t i = 0; i < count; i++)
        add_part(m, decision, constants[i].value, SOURCE_EDGE, constants[i].edge);
}

/* --- switches --------------------------------------------------------------------------------- */

/* Nothing but `ret`, be it under the closing brace. */
static bool only_returns(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    for (uint32_t i = block->first; i + 1 < block->end; i++)
        if (flow->il.instrs[i].op != OP_NOP)
            return false;
    return block->exit == FLOW_RETURN;
}

/* Ways out that are the same outcome have the same key. */
static uint64_t outcome_key(const struct flow *flow, struct way_out way)
{
    if (only_returns(flow, way.block))
        return UINT64_MAX;
    return way.point != NO_POINT ? way.point : (uint64_t)1 << 32 | way.block;
}

static void add_outcome(struct maker *m, struct decision *decision, struct way_out way,
                        uint32_t edge)
{
    uint64_t key = outcome_key(m->judge.flow, way);
    uint32_t outcome = 0;
    while (outcome < decision->outcome_count && m->keys[outcome] != key)
        outcome++;
    if (outcome == decision->outcome_count)
        m->keys[decision->outcome_count++] = key;
    add_part(m, decision, outcome, SOURCE_EDGE, edge);
}

static void add_way(struct maker *m, struct switch_job *job, uint32_t n, uint32_t edge);

/* Each way out of a guard. */
static void add_guard(struct maker *m, struct switch_job *job, struct way_out way)
{
    const struct judge *j = &m->judge;
    struct guard_row row = guard_row(j, way);
    job->nested++;
    for (uint32_t g = row.first; g < row.end; g++) {
        const struct block *block = &j->flow->blocks[g];
        if (block->edge_count < 2 || m->guard_of[g] == job->leader)
            continue;
        m->guard_of[g] = job->leader;
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            struct way_out out = judge_follow(j, j->flow->edges[e].to);
            if (out.point != NO_POINT || out.block < row.first || out.block >= row.end)
                add_way(m, job, g, e);
        }
    }
    job->nested--;
}

/* A way out of block `n`; behind a guard, each out of that. */
static void add_way(struct maker *m, struct switch_job *job, uint32_t n, uint32_t edge)
{
    struct judge *j = &m->judge;
    struct way_out way = judge_follow(j, j->flow->edges[edge].to);
    bool to_twin = judge_leads_to_twin(j, n, way);
    job->decision->is_switch &= !to_twin;
    if (way.throws ||
        ((way.point == NO_POINT || to_twin) && guard_is_member(j, job->leader, way.block)))
        return;
    if (way.point != NO_POINT && job->arm == NO_POINT)
        job->arm = way.point;
    bool guard = way.point != NO_POINT ? guard_is(j, job->leader, way) : guard_is_value(j, way);
    if (job->nested == GUARDS_NESTED_MAX || !guard) {
        add_outcome(m, job->decision, way, edge);
        return;
    }
    add_guard(m, job, way);
}

static void add_dispatch(struct maker *m, uint32_t leader)
{
    const struct judge *j = &m->judge;
    struct switch_job job = {.leader = leader, .arm = NO_POINT};
    job.decision = add_decision(m, leader, j->statement[leader]);
    job.decision->is_switch = true;
    for (uint32_t n = leader; n != NO_BLOCK; n = j->next[n]) {
        const struct block *block = &j->flow->blocks[n];
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
            add_way(m, &job, n, e);
    }
    if (j->guarded != NULL && j->guarded[leader] != NO_POINT) {
        uint32_t guard = j->guarded[leader];
        add_guard(m, &job, (struct way_out){guard, guard_block(j, guard), false, false});
        job.arm = NO_POINT;
    }
    if (job.arm != NO_POINT && j->cover.outer[job.arm] != NO_POINT)
        job.decision->point = j->cover.outer[job.arm];
    if (job.decision->outcome_count != 2) /* twins that come out in more than two places */
        job.decision->is_switch = true;
    if (job.decision->outcome_count >= 2)
        return;
    m->out->part_count = job.decision->first_part;
    m->out->count--;
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool alloc_maker(struct maker *m, struct arena *arena, struct err *err)
{
    const struct flow *flow = m->judge.flow;
    /* of conditions, of guards once more, of values */
    size_t room = 2 * (size_t)flow->edge_count + 2 * (size_t)flow->block_count;
    m->part_room = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
    m->keys = arena_raw(arena, flow->edge_count, sizeof *m->keys, err);
    m->guard_of = arena_raw(arena, flow->block_count, sizeof *m->guard_of, err);
    m->out->items = ARENA_NEW(arena, struct decision, (size_t)flow->block_count * 2, err);
    m->out->parts = ARENA_NEW(arena, struct outcome_part, room, err);
    for (uint32_t n = 0; m->guard_of != NULL && n < flow->block_count; n++)
        m->guard_of[n] = NO_BLOCK;
    return m->keys != NULL && m->guard_of != NULL && m->out->items != NULL && m->out->parts != NULL;
}

bool decide(struct decisions *out, const struct statements_source *source, const struct plan *plan,
            struct arena *arena, struct err *err)
{
    struct maker m = {.out = out};
    *out = (struct decisions){.count = 0};
    if (!judge_make(&m.judge, source, plan, arena, err) || !alloc_maker(&m, arena, err))
        return false;
    for (uint32_t n = 0; n < source->flow->block_count; n++) {
        if (operands_decide(&m.judge.operands, n) &&
            !made_fsharp_flag(&m.judge.fsharp, source->flow, n))
            add_value(&m, n);
        const uint32_t *copy = m.judge.copy;
        if (m.judge.judgement[n] == JUDGED_CONDITION && copy != NULL && copy[n] != NO_BLOCK) {
            if (copy[n] != n)
                add_copies(&m, n);
        } else if (m.judge.judgement[n] == JUDGED_CONDITION) {
            add_condition(&m, n);
        }
        if (m.judge.judgement[n] == JUDGED_DISPATCH && judge_group(&m.judge, n) == n)
            add_dispatch(&m, n);
    }
    return true;
}

#include "coverage/branches/decisions.h"

#include "coverage/branches/guard.h"
#include "coverage/branches/judge.h"
#include "coverage/branches/operands.h"
#include "coverage/branches/rules.h"

enum {
    GUARDS_NESTED_MAX = 256,
};

/* Decisions under construction. */
struct decision_maker {
    struct board board;
    struct decisions *out;
    uint32_t part_room;
    uint64_t *keys;     /* per outcome of one switch */
    uint32_t *guard_of; /* per block where a guard begins: the leader of its switch */
    /* F#, per block with a value that decides: the next copy of the operand, or NO_BLOCK; the block
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
    const struct flow *flow = m->board.flow;
    struct decision *decision = &m->out->items[m->out->count++];
    *decision = (struct decision){.il_offset = flow->il.instrs[flow_last_instr(flow, block)].offset,
                                  .point = board_own_point(&m->board, point),
                                  .first_part = m->out->part_count};
    return decision;
}

/* There is room for all ways of compiler-made code; for other code, parts may be dropped. */
static void add_outcome_part(struct decision_maker *m, struct decision *decision, uint32_t outcome,
                             enum outcome_source source, uint32_t index)
{
    if (m->out->part_count == m->part_room)
        return;
    m->out->parts[m->out->part_count++] = (struct outcome_part){outcome, source, index, NO_POINT};
    decision->part_count++;
}

/* Compared by source text, because the code after a condition is copied, too. */
static uint32_t text_after(const struct board *board, uint32_t edge)
{
    uint32_t point = board_follow_edge(board, edge).point;
    return point != NO_POINT ? board_first_point(board, point) : NO_POINT;
}

static bool leads_to(const struct board *board, uint32_t n, uint32_t end)
{
    const struct block *block = &board->flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (text_after(board, e) == end)
            return true;
    return false;
}

/* A way out of the condition that all its copies share: the one where it holds, or the other
 * one. */
static uint32_t common_end(const struct board *board, uint32_t n)
{
    const struct block *block = &board->flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        uint32_t end = text_after(board, e), copy = board->copy[n];
        while (end != NO_POINT && copy != NO_BLOCK && leads_to(board, copy, end))
            copy = board->copy[copy];
        if (end != NO_POINT && copy == NO_BLOCK)
            return end;
    }
    return NO_POINT;
}

/* A condition and its copies, of which it is the first. */
static void add_condition(struct decision_maker *m, uint32_t first)
{
    const struct board *board = &m->board;
    struct decision *decision = begin_decision(m, first, board->statement[first]);
    uint32_t end = board->copy[first] != NO_BLOCK ? common_end(board, first) : NO_POINT;
    decision->outcome_count = 2;
    for (uint32_t n = first, next; n != NO_BLOCK; n = next) {
        const struct block *block = &board->flow->blocks[n];
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            bool holds =
                end != NO_POINT ? text_after(board, e) == end : board->flow->edges[e].taken;
            add_outcome_part(m, decision, holds, SOURCE_EDGE, e);
        }
        next = board->copy[n];
        board->copy[n] = n; /* done */
    }
    uint32_t of_struct = boxed_default_goes_on(board->flow, first);
    if (of_struct != NO_EDGE)
        add_outcome_part(m, decision, true, SOURCE_EDGE, of_struct);
}

static void add_value_decision(struct decision_maker *m, uint32_t n)
{
    uint32_t point = point_map_at_end(&m->board.map, n);
    if (point == NO_POINT)
        return;
    struct decision *decision = begin_decision(m, n, point);
    decision->outcome_count = 2;
    for (uint32_t copy = n, next; copy != NO_BLOCK; copy = next) {
        add_outcome_part(m, decision, 0, SOURCE_COUNTER, m->board.plan->value_counter[copy]);
        add_outcome_part(m, decision, 1, SOURCE_COUNTER, m->board.plan->value_counter[copy] + 1);
        next = m->value_copy[copy];
        m->value_copy[copy] = copy;
    }
    struct lifted_constant constants[2];
    uint32_t count = lifted_constants(constants, m->board.flow, n);
    for (uint32_t i = 0; i < count; i++)
        add_outcome_part(m, decision, constants[i].value, SOURCE_EDGE, constants[i].edge);
}

static bool is_value(const struct decision_maker *m, uint32_t n)
{
    return operands_decide(&m->board, n) &&
           !fsharp_machine_hands_on_flag(&m->board.fsharp, m->board.flow, n);
}

/* The last operand of a guard is compiled as often as the guard. Two operands with one point are no
 * copies of each other. */
static bool link_values(struct decision_maker *m, struct arena *arena, struct err *err)
{
    const struct board *board = &m->board;
    uint32_t *last = arena_no_indexes(arena, board->points->count, err); /* per span */
    m->value_copy = arena_no_indexes(arena, board->flow->block_count, err);
    if (last == NULL || m->value_copy == NULL)
        return false;
    for (uint32_t n = board->flow->block_count; board->language == LANGUAGE_FSHARP && n-- != 0;) {
        uint32_t point = point_map_at_end(&board->map, n);
        if (point == NO_POINT || !is_value(m, n))
            continue;
        uint32_t *next = &last[board_first_point(board, point)];
        if (*next != NO_BLOCK && point_map_at_end(&board->map, *next) != point)
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

/* Ways out with the same outcome have the same key. */
static uint64_t outcome_key(const struct flow *flow, struct way_out way)
{
    if (is_bare_return(flow, way.block))
        return UINT64_MAX;
    return way.point != NO_POINT ? way.point : (uint64_t)1 << 32 | way.block;
}

static void add_way_outcome(struct decision_maker *m, struct decision *decision, struct way_out way,
                            uint32_t edge)
{
    uint64_t key = outcome_key(m->board.flow, way);
    uint32_t outcome = 0;
    while (outcome < decision->outcome_count && m->keys[outcome] != key)
        outcome++;
    if (outcome == decision->outcome_count)
        m->keys[decision->outcome_count++] = key;
    add_outcome_part(m, decision, outcome, SOURCE_EDGE, edge);
}

static void add_switch_way(struct decision_maker *m, struct switch_job *job, uint32_t n,
                           uint32_t edge);

/* Adds each way out of a guard. */
static void add_guard(struct decision_maker *m, struct switch_job *job, struct way_out way)
{
    const struct board *board = &m->board;
    struct guard_row row = guard_row(board, way);
    job->nested++;
    for (uint32_t g = row.first; g < row.end; g++) {
        const struct block *block = &board->flow->blocks[g];
        if (block->edge_count < 2 || m->guard_of[g] == job->leader)
            continue;
        m->guard_of[g] = job->leader;
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            struct way_out out = board_follow_edge(board, e);
            if (out.point != NO_POINT || out.block < row.first || out.block >= row.end)
                add_switch_way(m, job, g, e);
        }
    }
    job->nested--;
}

/* Adds a way out of block `n`; if it leads to a guard, each way out of that guard. */
static void add_switch_way(struct decision_maker *m, struct switch_job *job, uint32_t n,
                           uint32_t edge)
{
    struct board *board = &m->board;
    struct way_out way = board_follow_edge(board, edge);
    bool to_twin = board_leads_to_twin(board, n, way);
    job->decision->is_switch &= !to_twin;
    if (way.throws ||
        ((way.point == NO_POINT || to_twin) && guard_is_member(board, job->leader, way.block)))
        return;
    if (way.point != NO_POINT && job->arm == NO_POINT)
        job->arm = way.point;
    if (way.point != NO_POINT && (job->first_text == NO_POINT ||
                                  seq_point_order(&board->points->points[way.point],
                                                  &board->points->points[job->first_text]) < 0))
        job->first_text = way.point;
    bool guard =
        way.point != NO_POINT ? guard_is(board, job->leader, way) : guard_is_value(board, way);
    if (job->nested == GUARDS_NESTED_MAX || !guard) {
        add_way_outcome(m, job->decision, way, edge);
        return;
    }
    add_guard(m, job, way);
}

/* Takes back what was added last. */
static void drop_decision(struct decision_maker *m)
{
    m->out->part_count = m->out->items[--m->out->count].first_part;
}

static void add_dispatch(struct decision_maker *m, uint32_t leader)
{
    const struct board *board = &m->board;
    struct switch_job job = {.leader = leader, .arm = NO_POINT, .first_text = NO_POINT};
    job.decision = begin_decision(m, leader, board->statement[leader]);
    job.decision->is_switch = true;
    for (uint32_t n = leader; n != NO_BLOCK; n = board->next[n]) {
        const struct block *block = &board->flow->blocks[n];
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
            add_switch_way(m, &job, n, e);
    }
    if (board->guarded[leader] != NO_POINT) {
        uint32_t guard = board->guarded[leader];
        add_guard(m, &job, (struct way_out){guard, guard_block(board, guard), false, false});
        job.arm = NO_POINT;
    }
    /* `match v with` has a point of its own in F# */
    uint32_t at = board->map.at[flow_last_instr(board->flow, leader)];
    bool has_point = board->language == LANGUAGE_FSHARP && point_map_is_visible(&board->map, at) &&
                     at == board->statement[leader];
    if (job.arm != NO_POINT && board->map.outer[job.arm] != NO_POINT && !has_point)
        job.decision->point = board_own_point(board, board->map.outer[job.arm]);
    if (board->borrowed != NULL && board->borrowed[job.decision->point] &&
        job.first_text != NO_POINT)
        job.decision->point = job.first_text; /* `function` has no text of its own */
    if (job.decision->outcome_count != 2)     /* twins that come out in more than two places */
        job.decision->is_switch = true;
    if (job.decision->outcome_count >= 2)
        return;
    judge_left_over(&m->board, leader);
    drop_decision(m);
}

/* Is it an operand that begins at the point? */
static bool begins_operand(const struct decision_maker *m, uint32_t point)
{
    const struct board *board = &m->board;
    const struct flow *flow = board->flow;
    for (uint32_t n = guard_block(board, point);; n = flow->edges[flow->blocks[n].first_edge].to) {
        if (is_value(m, n))
            return true;
        if (flow->blocks[n].exit != FLOW_NEXT ||
            (board->map.opens[n] != NO_POINT && board->map.opens[n] != point))
            return false;
    }
}

/* A match that asks nothing but guards, of which the branch at the end of block `first` is the
 * first. */
static void add_match_of_guards(struct decision_maker *m, uint32_t first)
{
    const struct board *board = &m->board;
    struct switch_job job = {.leader = first, .arm = NO_POINT, .first_text = NO_POINT};
    uint32_t guard = board->statement[first];
    bool is_match = true;
    job.decision = begin_decision(m, first, board->match_of_guards[first]);
    job.decision->is_switch = true;
    add_guard(m, &job, (struct way_out){guard, guard_block(board, guard), false, false});
    for (uint32_t i = 0; i < job.decision->outcome_count && is_match; i++)
        is_match = m->keys[i] <= UINT32_MAX && !begins_operand(m, (uint32_t)m->keys[i]);
    if (!is_match || job.decision->outcome_count < 2)
        drop_decision(m);
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Where the way of an outcome leads. Copies of a point have one name, that of the first. */
static uint32_t place_of_part(const struct board *board, const struct outcome_part *part)
{
    if (part->source != SOURCE_EDGE)
        return PLACE_UNKNOWN;
    struct way_out way = board_follow_edge(board, part->index);
    if (way.throws || (way.point == NO_POINT && board->judgement[way.block] == JUDGED_DISPATCH))
        return PLACE_UNKNOWN;
    return way.point != NO_POINT && board->language == LANGUAGE_FSHARP
               ? board_first_point(board, way.point)
               : way.point;
}

static bool alloc_maker(struct decision_maker *m, struct arena *arena, struct err *err)
{
    const struct flow *flow = m->board.flow;
    /* for conditions, for guards a second time, for values */
    size_t room = 2 * (size_t)flow->edge_count + 2 * (size_t)flow->block_count;
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
    if (!judge_make(&m.board, source, plan, arena, err) || !alloc_maker(&m, arena, err) ||
        !link_values(&m, arena, err))
        return false;
    out->points = m.board.points;
    out->map = m.board.map;
    out->rule = m.board.rule;
    for (uint32_t n = 0; n < source->flow->block_count; n++) {
        if (is_value(&m, n) && m.value_copy[n] != n)
            add_value_decision(&m, n);
        if (m.board.judgement[n] == JUDGED_CONDITION && m.board.copy[n] != n)
            add_condition(&m, n);
        if (m.board.match_of_guards[n] != NO_POINT)
            add_match_of_guards(&m, n);
        if (m.board.judgement[n] == JUDGED_DISPATCH && board_group(&m.board, n) == n)
            add_dispatch(&m, n);
    }
    for (uint32_t i = 0; i < out->part_count; i++)
        out->parts[i].place = place_of_part(&m.board, &out->parts[i]);
    return expressions_find(out, &m.board, arena, err);
}

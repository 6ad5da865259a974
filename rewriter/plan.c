#include "rewriter/plan.h"

#include "base/fnv.h"

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static bool branches(const struct block *block)
{
    return block->edge_count > 1;
}

/* The block goes one way: its one outgoing edge is taken as often as its end is reached. */
static bool runs_on(const struct block *block)
{
    return block->edge_count == 1;
}

/* A constant 0 or 1 that some branch jumps to: the short way out of `a && b`, which the compiler
 * puts behind b. */
static bool is_short_cut(const struct flow *flow, uint32_t constant, uint32_t value)
{
    const struct block *block = &flow->blocks[constant];
    if (!block->ends_with_zero_or_one || constant < value)
        return false;
    for (uint32_t n = 0; n < block->in_count; n++) {
        const struct edge *edge = &flow->edges[flow->in_edges[block->first_in + n]];
        if (edge->taken && edge->from < value && flow->blocks[edge->from].exit == FLOW_CONDITION)
            return true;
    }
    return false;
}

/* A `ldc.i4.0; ret` or `ldc.i4.1; ret` further down that a condition above jumps to: Release code
 * of `return a && b`. */
static bool has_short_cut_return(const struct flow *flow, uint32_t value)
{
    for (uint32_t c = value + 1; c < flow->block_count; c++) {
        const struct block *block = &flow->blocks[c];
        if (block->exit == FLOW_RETURN && block->end - block->first == 2 &&
            is_short_cut(flow, c, value))
            return true;
    }
    return false;
}

/* Is the bool on top at the end of block `n` the outcome of an operand, which no branch in this
 * method tells apart? */
static bool value_is_outcome(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    if (!block->ends_with_bool || !block->reachable)
        return false;
    if (block->exit == FLOW_ENDFILTER)
        return true;
    if (block->exit == FLOW_RETURN)
        return !flow->calls_tail && has_short_cut_return(flow, n);
    if (!runs_on(block) || (block->exit != FLOW_NEXT && block->exit != FLOW_BRANCH))
        return false; /* a condition on a constant has that on top */
    const struct block *join = &flow->blocks[flow->edges[block->first_edge].to];
    if (join->after_tail_call)
        return false;
    if (flow->il.instrs[join->first].op == OP_ENDFILTER)
        return true;
    for (uint32_t i = 0; i < join->in_count; i++)
        if (is_short_cut(flow, flow->edges[flow->in_edges[join->first_in + i]].from, n))
            return true;
    return false;
}

/* Behind a tail call only its `ret` may follow, so that edge is counted by the block above,
 * whatever it may throw. */
static bool is_tail_edge(const struct flow *flow, const struct edge *edge)
{
    return flow->blocks[edge->to].after_tail_call && !edge->taken;
}

/* Is the edge's count that of the block it leaves, with nothing in between? Only forward, so that
 * no two counts are made of each other. */
static bool follows_from_source(const struct flow *flow, const struct edge *edge)
{
    const struct block *from = &flow->blocks[edge->from];
    return edge->from < edge->to && runs_on(from) && !edge->through_finally &&
           (!from->may_throw || is_tail_edge(flow, edge));
}

static bool all_edges_out_counted(const struct flow *flow, const struct plan *plan, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (plan->edge_counter[e] == NO_COUNTER && flow->edges[e].to <= n)
            return false;
    return true;
}

static bool all_edges_in_counted(const struct flow *flow, const struct plan *plan, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    for (uint32_t i = 0; i < block->in_count; i++) {
        uint32_t e = flow->in_edges[block->first_in + i];
        if (plan->edge_counter[e] == NO_COUNTER && !follows_from_source(flow, &flow->edges[e]))
            return false;
    }
    return block->in_count != 0 && !block->is_entry;
}

static void decide_rules(const struct flow *flow, struct plan *plan)
{
    for (uint32_t n = flow->block_count; n-- != 0;) {
        const struct block *block = &flow->blocks[n];
        if (!block->reachable)
            plan->rule[n] = RULE_NEVER;
        else if (!block->after_tail_call && branches(block) && !block->may_throw &&
                 all_edges_out_counted(flow, plan, n))
            plan->rule[n] = RULE_OUT;
        else
            plan->rule[n] = RULE_COUNTER;
    }
    for (uint32_t n = 0; n < flow->block_count; n++)
        if (plan->rule[n] == RULE_COUNTER &&
            (flow->blocks[n].after_tail_call || all_edges_in_counted(flow, plan, n)))
            plan->rule[n] = RULE_IN;
}

/* Edges of conditions and switches that their target's count can't tell; into the `ret` of a tail
 * call all that do not follow from their source. Any mark but NO_COUNTER will do until numbers are
 * given. */
static void mark_edges(const struct flow *flow, struct plan *plan)
{
    for (uint32_t e = 0; e < flow->edge_count; e++) {
        const struct edge *edge = &flow->edges[e];
        bool into_tail = flow->blocks[edge->to].after_tail_call && !follows_from_source(flow, edge);
        bool own = flow_is_critical(flow, e) || into_tail;
        plan->edge_counter[e] = own ? 0 : NO_COUNTER;
    }
}

static void number(const struct flow *flow, struct plan *plan)
{
    uint32_t next = 0;
    for (uint32_t n = 0; n < flow->block_count; n++) {
        const struct block *block = &flow->blocks[n];
        plan->block_counter[n] = plan->rule[n] == RULE_COUNTER ? next++ : NO_COUNTER;
        plan->value_counter[n] = NO_COUNTER;
        if (value_is_outcome(flow, n)) {
            plan->value_counter[n] = next;
            next += 2;
        }
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
            if (plan->edge_counter[e] != NO_COUNTER)
                plan->edge_counter[e] = next++;
    }
    plan->counter_count = next;
}

bool plan_make(struct plan *out, const struct flow *flow, struct arena *arena)
{
    *out = (struct plan){.counter_count = 0};
    out->rule = arena_raw(arena, flow->block_count, sizeof *out->rule, NULL);
    out->block_counter = arena_raw(arena, flow->block_count, sizeof *out->block_counter, NULL);
    out->value_counter = arena_raw(arena, flow->block_count, sizeof *out->value_counter, NULL);
    out->edge_counter = arena_raw(arena, flow->edge_count, sizeof *out->edge_counter, NULL);
    if (out->rule == NULL || out->block_counter == NULL || out->value_counter == NULL ||
        out->edge_counter == NULL)
        return false;
    mark_edges(flow, out);
    decide_rules(flow, out);
    number(flow, out);
    return true;
}

static uint64_t edge_count(const struct plan *plan, const struct flow *flow,
                           const struct plan_counts *counts, const uint64_t *counters, uint32_t e)
{
    const struct edge *edge = &flow->edges[e];
    if (plan->edge_counter[e] != NO_COUNTER)
        return counters[plan->edge_counter[e]];
    return counts->blocks[follows_from_source(flow, edge) ? edge->from : edge->to];
}

bool plan_count(struct plan_counts *out, const struct plan *plan, const struct flow *flow,
                const uint64_t *counters, struct arena *arena, struct err *err)
{
    out->blocks = ARENA_NEW(arena, uint64_t, flow->block_count, err);
    out->edges = ARENA_NEW(arena, uint64_t, flow->edge_count, err);
    if (out->blocks == NULL || out->edges == NULL)
        return false;
    for (uint32_t n = flow->block_count; n-- != 0;) { /* RULE_OUT looks at higher blocks */
        const struct block *block = &flow->blocks[n];
        if (plan->rule[n] == RULE_COUNTER)
            out->blocks[n] = counters[plan->block_counter[n]];
        for (uint32_t e = block->first_edge;
             plan->rule[n] == RULE_OUT && e < block->first_edge + block->edge_count; e++)
            out->blocks[n] =
                add_saturating(out->blocks[n], edge_count(plan, flow, out, counters, e));
    }
    for (uint32_t n = 0; n < flow->block_count; n++) { /* RULE_IN looks at lower ones */
        const struct block *block = &flow->blocks[n];
        for (uint32_t i = 0; plan->rule[n] == RULE_IN && i < block->in_count; i++)
            out->blocks[n] =
                add_saturating(out->blocks[n], edge_count(plan, flow, out, counters,
                                                          flow->in_edges[block->first_in + i]));
    }
    for (uint32_t e = 0; e < flow->edge_count; e++)
        out->edges[e] = edge_count(plan, flow, out, counters, e);
    return true;
}

uint64_t plan_hash_start(enum count_mode mode)
{
    return fnv_word(fnv_word(FNV_START, PLAN_VERSION), (uint64_t)mode);
}

static uint64_t hash_body(uint64_t hash, struct view body)
{
    size_t i = 0;
    for (; i + 8 <= body.len; i += 8)
        hash = fnv_word(hash, load_u64(body.data + i));
    return fnv_bytes(hash, body.data + i, body.len - i);
}

uint64_t plan_hash_method(uint64_t hash, uint32_t method_rid, struct view body,
                          const struct plan *plan, const struct flow *flow)
{
    hash = fnv_word(hash_body(fnv_word(hash, method_rid), body), plan->counter_count);
    for (uint32_t n = 0; n < flow->block_count; n++)
        hash = fnv_word(hash, (uint64_t)plan->block_counter[n] << 32 | plan->value_counter[n]);
    for (uint32_t e = 0; e < flow->edge_count; e++)
        hash = fnv_word(hash, plan->edge_counter[e]);
    return hash;
}

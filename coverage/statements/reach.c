#include "coverage/statements/reach.h"

/* The instruction after the block's first call that never returns; 0 if it has none. */
static uint32_t stop_in(const struct flow *flow, uint32_t n, struct no_return *calls)
{
    const struct block *block = &flow->blocks[n];
    for (uint32_t i = block->first; calls != NULL && i < block->end; i++) {
        const struct instr *instr = &flow->il.instrs[i];
        if (il_is_call(instr) && no_return_is(calls, instr->operand))
            return i + 1;
    }
    return 0;
}

/* Blocks that control has reached and whose ways out are still to be followed. */
struct reach_walk {
    struct reach *reach;
    uint32_t *waiting;
    uint32_t count;
};

static void come_to(struct reach_walk *w, uint32_t n)
{
    const struct block *block = &w->reach->flow->blocks[n];
    if (!block->reachable || w->reach->end[n] != block->first)
        return;
    w->reach->end[n] = block->end;
    w->waiting[w->count++] = n;
}

static void come_to_offset(struct reach_walk *w, uint32_t offset)
{
    uint32_t instr = il_index(&w->reach->flow->il, offset);
    if (instr != NO_INDEX)
        come_to(w, flow_block_of(w->reach->flow, instr));
}

/* Marks the handlers that may be entered from the block. */
static void come_to_handlers(struct reach_walk *w, uint32_t n)
{
    const struct flow *flow = w->reach->flow;
    uint32_t offset = flow->il.instrs[flow->blocks[n].first].offset;
    for (uint32_t c = 0; c < flow->body.clause_count; c++) {
        const struct eh_clause *clause = &flow->body.clauses[c];
        if (offset < clause->try_offset || offset - clause->try_offset >= clause->try_length)
            continue;
        come_to_offset(w, clause->handler_offset);
        if (clause->flags == EH_FILTER)
            come_to_offset(w, clause->filter_offset);
    }
}

bool reach_make(struct reach *out, const struct flow *flow, struct no_return *calls,
                struct arena *arena, struct err *err)
{
    struct reach_walk w = {.reach = out,
                           .waiting = ARENA_NEW(arena, uint32_t, flow->block_count, err)};
    *out = (struct reach){flow, ARENA_NEW(arena, uint32_t, flow->block_count, err)};
    if (w.waiting == NULL || out->end == NULL)
        return false;
    for (uint32_t n = 0; n < flow->block_count; n++)
        out->end[n] = flow->blocks[n].first;
    come_to(&w, 0);
    while (w.count != 0) {
        uint32_t n = w.waiting[--w.count], stop = stop_in(flow, n, calls);
        const struct block *block = &flow->blocks[n];
        come_to_handlers(&w, n);
        if (stop != 0)
            out->end[n] = stop;
        for (uint32_t e = 0; stop == 0 && e < block->edge_count; e++)
            come_to(&w, flow->edges[block->first_edge + e].to);
    }
    return true;
}

bool reach_runs(const struct reach *reach, uint32_t instr)
{
    return instr < reach->end[flow_block_of(reach->flow, instr)];
}

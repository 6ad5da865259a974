#include "coverage/branches/dispatch.h"

/* Where the dispatch begins in block `n`: what one point covers, up to the branch. */
static uint32_t dispatch_start(const struct cover *cover, uint32_t n)
{
    const struct block *block = &cover->flow->blocks[n];
    uint32_t start = block->end - 1;
    while (start > block->first && cover->point_of[start - 1] == cover->point_of[block->end - 1])
        start--;
    return start;
}

static uint32_t next_block(const struct flow *flow, uint32_t n)
{
    return flow->edges[flow->blocks[n].first_edge].to;
}

bool dispatch_begins(const struct cover *cover, uint32_t first, uint32_t last)
{
    const struct flow *flow = cover->flow;
    for (uint32_t n = first;; n = next_block(flow, n)) {
        const struct block *block = &flow->blocks[n];
        for (uint32_t i = block->first; i < block->end; i++) {
            uint32_t p = cover->point_of[i];
            if (p != NO_POINT && cover->points->points[p].hidden &&
                cover->points->points[p].il_offset == flow->il.instrs[i].offset)
                return true;
        }
        if (n == last || block->edge_count != 1)
            return false;
    }
}

/* A local, an argument, or a field of `this`, which is where a state machine keeps both. */
static bool is_load(const struct instr *instr)
{
    return il_loaded_local(instr) != IL_NO_INDEX || instr->op == OP_LDFLD ||
           (il_loaded_arg(instr) != IL_NO_INDEX && instr[1].op != OP_LDFLD);
}

static bool knows(const struct cover *cover, uint32_t member, uint32_t load)
{
    const struct il *il = &cover->flow->il;
    for (uint32_t i = dispatch_start(cover, member); i < cover->flow->blocks[member].end; i++)
        if (il_loads_stored(il, load, i) ||
            (is_load(&il->instrs[i]) && il_loads_the_same(&il->instrs[i], &il->instrs[load])))
            return true;
    return false;
}

static bool is_stored_on_the_way(const struct cover *cover, uint32_t first, uint32_t load)
{
    const struct flow *flow = cover->flow;
    uint32_t end = flow_block_of(flow, load);
    for (uint32_t n = first;; n = next_block(flow, n)) {
        const struct block *block = &flow->blocks[n];
        for (uint32_t i = block->first; i < block->end && i != load; i++)
            if (il_loads_stored(&flow->il, load, i))
                return true;
        if (n == end || block->edge_count != 1)
            return false;
    }
}

bool dispatch_shares(const struct cover *cover, uint32_t first, uint32_t last, uint32_t member)
{
    const struct flow *flow = cover->flow;
    for (uint32_t n = first;; n = next_block(flow, n)) {
        const struct block *block = &flow->blocks[n];
        for (uint32_t i = block->first; i + 1 < block->end; i++)
            if (is_load(&flow->il.instrs[i]) && knows(cover, member, i) &&
                !is_stored_on_the_way(cover, first, i))
                return true;
        if (n == last || block->edge_count != 1)
            return false;
    }
}

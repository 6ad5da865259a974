#include "coverage/branches/rules/rules.h"

#include "coverage/statements/il_idioms.h"

/* `t?.M()` of an unconstrained T boxes a fresh default value: is T a class? */
static bool tests_default(const struct flow *flow, uint32_t load)
{
    const struct instr *instrs = flow->il.instrs;
    return load != IL_NO_INDEX && load != 0 && il_loaded_local(&instrs[load]) != IL_NO_INDEX &&
           instrs[load + 1].op == OP_BOX && instrs[load - 1].op == OP_INITOBJ;
}

bool rule_boxed_default(const struct board *board, const struct branch *branch)
{
    return tests_default(board->flow, branch->load);
}

uint32_t boxed_default_goes_on(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    while (block->in_count == 1 && !block->is_entry) {
        const struct edge *in = flow_edge_in(flow, block, 0);
        block = &flow->blocks[in->from];
        if (block->edge_count == 1)
            continue;
        if (block->exit != FLOW_CONDITION || in->taken ||
            !tests_default(flow, idiom_tested_load(flow, in->from)))
            break;
        uint32_t goes_on = block->first_edge;
        const struct edge *ways = &flow->edges[flow->blocks[n].first_edge];
        return flow->edges[goes_on].to == ways->to ? goes_on : NO_EDGE;
    }
    return NO_EDGE;
}

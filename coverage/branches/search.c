/* A search among constants: the compiler first compares by order, to need fewer comparisons. */
#include "coverage/branches/rules/rules.h"

enum {
    JUMPS_MAX = 8,
};

/* Past blocks that only jump. */
static uint32_t past_jumps(const struct board *board, uint32_t block)
{
    const struct flow *flow = board->flow;
    for (unsigned steps = 0; steps < JUMPS_MAX; steps++) {
        const struct block *b = &flow->blocks[block];
        if (b->exit != FLOW_BRANCH || b->end - b->first != 1 || b->edge_count != 1)
            break;
        block = flow->edges[b->first_edge].to;
    }
    return block;
}

/* `x is 'a' or 'e' or 'i' or 'o' or 'u'` is compiled to a binary search: x > 'i'? The comparison
 * that only decides where to continue the search was not written. */
static bool splits_search(const struct board *board, uint32_t n)
{
    const struct block *block = &board->flow->blocks[n];
    const struct instr *instrs = board->flow->il.instrs;
    uint32_t last = flow_last_instr(board->flow, n);
    int32_t value = 0;
    bool orders = il_info(&instrs[last])->flow == FLOW_CONDITION && instrs[last].op != OP_BEQ &&
                  instrs[last].op != OP_BEQ_S && instrs[last].op != OP_BNE_UN &&
                  instrs[last].op != OP_BNE_UN_S;
    if (!orders || last < block->first + 2 || !il_constant(&value, &instrs[last - 1]))
        return false;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        const struct block *to = &board->flow->blocks[past_jumps(board, board->flow->edges[e].to)];
        if ((to->exit != FLOW_CONDITION && to->exit != FLOW_SWITCH) || to->end - to->first < 3 ||
            !il_loads_the_same(&instrs[to->first], &instrs[last - 2]) ||
            !il_constant(&value, &instrs[to->first + 1]) ||
            board->map.at[to->first] != board->map.at[last])
            return false;
    }
    return true;
}

bool find_search(struct board *board, const struct rule *rule, struct arena *arena, struct err *err)
{
    (void)arena, (void)err;
    for (uint32_t n = 0; n < board->flow->block_count; n++)
        if (board->judgement[n] == JUDGED_CONDITION && splits_search(board, n))
            board_judge(board, n, rule);
    return true;
}

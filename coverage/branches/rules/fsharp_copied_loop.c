#include "coverage/branches/rules/rules.h"

enum {
    LOOP_COPIED_MAX = 64, /* blocks */
};

/* `Seq.sum xs`, `yield! xs`: nothing in the loop has a point, not even its test. */
bool rule_fsharp_copied_loop(const struct board *board, const struct branch *branch)
{
    const struct flow *flow = board->flow;
    uint32_t n = branch->block;
    const struct edge *back = &flow->edges[flow->blocks[n].first_edge];
    if (flow->blocks[n].exit != FLOW_CONDITION || !back->taken || back->to > n)
        return false;
    for (uint32_t m = n + 1; m-- != back->to;)
        if (board->map.opens[m] != NO_POINT || n - m > LOOP_COPIED_MAX)
            return false;
    return true;
}

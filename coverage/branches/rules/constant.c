/* Conditions on constants. */
#include "coverage/branches/rules/rules.h"

/* The flow graph has no edge for the other way. */
bool rule_constant_way(const struct board *board, const struct branch *branch)
{
    return board->flow->blocks[branch->block].edge_count < 2;
}

/* `while (true)` in Debug code: ldc.i4.1; stloc V; ldloc V; brtrue. */
bool rule_constant_stored(const struct board *board, const struct branch *branch)
{
    int32_t value = 0;
    return branch->just_stored && branch->last >= board->flow->blocks[branch->block].first + 3 &&
           il_constant(&value, &board->flow->il.instrs[branch->last - 3]);
}

/* `x switch { ... }` of C#: its tests are under the point of the statement that contains it. */
#include "coverage/branches/rules.h"
#include "coverage/branches/way_code.h"

/* Does the way that begins at block `to` belong to a switch expression of this statement? It leads
 * to an arm, which is the only point that can be inside another point; or to more of the
 * expression, not to one that begins there; or no arm matched. */
static bool is_of_switch_expression(const struct board *board, uint32_t to, uint32_t statement)
{
    struct way_out way = board_follow(board, to);
    if (point_map_is_visible(&board->map, way.point))
        return seq_point_is_within(&board->points->points[way.point],
                                   &board->points->points[statement]);
    return way.throws || (board->judgement[way.block] == JUDGED_DISPATCH && way.point == NO_POINT &&
                          !way.brings_value && board->statement[way.block] == statement &&
                          way_code_kind(&board->map, to, way.block) != WAY_BEGINS);
}

/* All ways of a condition must belong to the expression: one way of `a && x switch { ... }` leads
 * past it. After a hidden point one is enough: the value of the switch itself is tested there. */
static bool is_in_switch_expression(const struct board *board, uint32_t n)
{
    const struct block *block = &board->flow->blocks[n];
    uint32_t of_it = 0;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        of_it += is_of_switch_expression(board, board->flow->edges[e].to, board->statement[n]);
    bool hidden =
        !point_map_is_visible(&board->map, board->map.at[flow_last_instr(board->flow, n)]);
    return of_it == block->edge_count || (hidden && of_it != 0);
}

/* Conditions of a switch expression are only recognised once all branches are judged. Each one
 * makes those that lead to it part of the expression, too, so this repeats until nothing changes.
 * It starts at the end because most ways lead forward. */
bool find_switch_expression(struct board *board, const struct rule *rule, struct arena *arena,
                            struct err *err)
{
    (void)arena, (void)err;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = board->flow->block_count; n-- != 0;) {
            if (board->judgement[n] != JUDGED_CONDITION || !is_in_switch_expression(board, n))
                continue;
            board_judge(board, n, rule);
            changed = true;
        }
    }
    return true;
}

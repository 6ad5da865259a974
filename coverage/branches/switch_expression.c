/* `x switch { ... }` of C#: its tests are under the point of the statement that contains it. */
#include "coverage/branches/rules.h"
#include "coverage/branches/way_code.h"

/* Does the way that begins at block `to` belong to a switch expression of this statement? It leads
 * to an arm, which is the only point that can be inside another point; or to more of the
 * expression, which `known` has per block, not to one that begins there; or no arm matched. What
 * brings a value there is a condition of the value that is looked at. */
static bool is_of_switch_expression(const struct branches *branches, const bool *known, uint32_t to,
                                    uint32_t statement)
{
    struct way_out way = branches_follow(branches, to);
    if (way.brings_value)
        return false;
    if (point_map_is_visible(&branches->map, way.point))
        return seq_point_is_within(&branches->points->points[way.point],
                                   &branches->points->points[statement]);
    return way.throws || (known[way.block] && way.point == NO_INDEX &&
                          branches->statement[way.block] == statement &&
                          way_code_kind(&branches->map, to, way.block) != WAY_BEGINS);
}

static bool keeps_value(const struct branches *branches, uint32_t n)
{
    uint32_t last = flow_last_instr(branches->flow, n);
    return last != 0 && branches->flow->il.instrs[last - 1].op == OP_DUP;
}

/* All ways of a condition must belong to the expression: one way of `a && x switch { ... }` leads
 * past it. After a hidden point one is enough: the value of the switch itself is tested there. */
static bool is_in_switch_expression(const struct branches *branches, const bool *known, uint32_t n)
{
    const struct block *block = &branches->flow->blocks[n];
    uint32_t of_it = 0;
    if (keeps_value(branches, n)) /* a ?? b, a?.b */
        return false;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        of_it += is_of_switch_expression(branches, known, branches->flow->edges[e].to,
                                         branches->statement[n]);
    bool hidden =
        !point_map_is_visible(&branches->map, branches->map.at[flow_last_instr(branches->flow, n)]);
    return of_it == block->edge_count ||
           ((hidden || branches->class[n] == BRANCH_DISPATCH) && of_it != 0);
}

/* Conditions of a switch expression are only recognised once all branches are classified. Each one
 * makes those that lead to it part of the expression, too, so this repeats until nothing changes.
 * It starts at the end because most ways lead forward. The dispatch of a `switch` statement after
 * the statement is not part of it: its arms are not within it. */
bool find_switch_expression(struct branches *branches, const struct rule *rule, struct arena *arena,
                            struct err *err)
{
    bool *known = ARENA_NEW(arena, bool, branches->flow->block_count, err);
    if (known == NULL)
        return false;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = branches->flow->block_count; n-- != 0;) {
            if (branches->class[n] == BRANCH_NONE || known[n] ||
                !is_in_switch_expression(branches, known, n))
                continue;
            if (branches->class[n] == BRANCH_CONDITION)
                branches_set_rule(branches, n, rule);
            known[n] = changed = true;
        }
    }
    return true;
}

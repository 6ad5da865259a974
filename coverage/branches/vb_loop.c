/* For and For Each of Visual Basic. The test stands behind the body, under a hidden point, and runs
 * on from the last statement of the body or from `Next`. It is the condition of the header, whose
 * code ends right above the body:
 *     For: i = 1; br.s T; B: body; Next: i += 1; T: ldloc i; ldloc limit; ble.s B
 * Where constants show that there is a first round, `br.s T` is left out. Where the compiler only
 * sees objects, code behind the header asks for it:
 *     For: call ForLoopInitObj; brfalse E; B: body; Next: call ForNextCheckObj; brtrue B; E: */
#include "coverage/branches/rules.h"

#include "coverage/statements/il_idioms.h"

/* The edge of the branch that leads back to the first block of a body; NO_INDEX if none does. */
static uint32_t edge_to_body(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (block->exit == FLOW_CONDITION && flow->edges[e].taken && flow->edges[e].to <= n)
            return e;
    return NO_INDEX;
}

static bool asks_object(const struct branch *branch, const char *method)
{
    return str_is(branch->member, method);
}

bool rule_vb_loop(const struct branches *branches, const struct branch *branch)
{
    return vb_loop_header(branches, branch) != NO_INDEX;
}

uint32_t vb_loop_header(const struct branches *branches, const struct branch *branch)
{
    const struct flow *flow = branches->flow;
    bool stands_behind =
        (!branch->visible && !branch->just_stored) || asks_object(branch, "ForNextCheckObj");
    uint32_t edge = NO_INDEX;
    if (branches->language == LANGUAGE_VISUAL_BASIC && stands_behind)
        edge = edge_to_body(flow, branch->block);
    uint32_t body = edge != NO_INDEX ? flow->blocks[flow->edges[edge].to].first : 0;
    return body != 0 ? point_map_before(&branches->map, body - 1) : NO_INDEX;
}

bool rule_vb_first_round(const struct branches *branches, const struct branch *branch)
{
    (void)branches;
    return asks_object(branch, "ForLoopInitObj");
}

static uint32_t edge_between(const struct flow *flow, uint32_t from, uint32_t to)
{
    const struct block *block = &flow->blocks[from];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (flow->edges[e].to == to)
            return e;
    return NO_INDEX;
}

struct vb_loop_start vb_loop_start(const struct branches *branches, uint32_t n)
{
    const struct flow *flow = branches->flow;
    struct vb_loop_start start = {NO_INDEX, NO_INDEX};
    const struct branch test = branches_at(branches, n);
    if (vb_loop_header(branches, &test) == NO_INDEX)
        return start;
    uint32_t body = flow->edges[edge_to_body(flow, n)].to;
    start.enters = edge_between(flow, body - 1, body);
    if (branches_has(branches, body - 1)) {
        const struct branch first = branches_at(branches, body - 1);
        uint32_t leaves = flow->blocks[body - 1].first_edge;
        if (rule_vb_first_round(branches, &first))
            start.skips = leaves == start.enters ? leaves + 1 : leaves;
    }
    return start;
}

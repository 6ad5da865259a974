/* The end of `using`, and of a `foreach` whose enumerator is disposed:
 *     ldloc x; brfalse E; ldloc x; callvirt Dispose; E: endfinally
 * under a hidden point; in Visual Basic it may be that of End Using. */
#include "coverage/branches/rules/rules.h"

#include "metadata/names.h"

enum {
    DISPOSED_WITHIN = 4, /* instructions */
};

static bool disposes_first(const struct flow *flow, uint32_t first)
{
    const struct il *il = &flow->il;
    for (uint32_t i = first; i < il->count && i - first < DISPOSED_WITHIN; i++) {
        const struct instr *instr = &il->instrs[i];
        if (instr->op == OP_CALL || instr->op == OP_CALLVIRT) {
            struct str name = name_of_member(flow->context.md, instr->operand);
            return str_is(name, "Dispose") || str_is(name, "DisposeAsync");
        }
        if (il_info(instr)->flow != FLOW_NEXT && il_info(instr)->flow != FLOW_PREFIX)
            break;
    }
    return false;
}

/* Visual Basic: a Using with an Await in it; no other code that disposes is so short. */
static bool stands_on_end_using(const struct board *b, uint32_t point)
{
    if (b->language != LANGUAGE_VISUAL_BASIC || point == NO_POINT)
        return false;
    const struct seq_point *p = &b->points->points[point];
    return p->start_line == p->end_line &&
           p->end_column - p->start_column == sizeof "End Using" - 1;
}

bool rule_using_check(const struct board *board, const struct branch *branch)
{
    const struct flow *flow = board->flow;
    const struct block *block = &flow->blocks[branch->block];
    if ((branch->visible || branch->just_stored) && !stands_on_end_using(board, branch->before))
        return false;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        uint32_t to = flow->edges[e].to;
        if (board->map.opens[to] == NO_POINT && disposes_first(flow, flow->blocks[to].first))
            return block->exit == FLOW_CONDITION;
    }
    return false;
}

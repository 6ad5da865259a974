#include "coverage/branches/rules/rules.h"

#include "coverage/statements/il_idioms.h"
#include "metadata/names.h"

/* A field, or of runtime async a local that `isinst` looks at. */
static bool keeps_exception(const struct board *board, const struct branch *branch)
{
    const struct instr *load = &board->flow->il.instrs[branch->load];
    if (branch->local != IL_NO_INDEX)
        return board->awaits && load[1].op == OP_ISINST;
    return load->op == OP_LDFLD && idiom_spilled_value(branch->member);
}

/* `throw;` after an await in a catch, where the exception must be loaded from a field, in runtime
 * async from a local: x = field as Exception; if (x == null) throw field; */
bool rule_rethrow(const struct board *board, const struct branch *branch)
{
    const struct flow *flow = board->flow;
    const struct block *b = &flow->blocks[branch->block];
    if (!branch->visible || branch->load == IL_NO_INDEX || !keeps_exception(board, branch))
        return false;
    for (uint32_t e = b->first_edge; e < b->first_edge + b->edge_count; e++) {
        const struct block *to = &flow->blocks[flow->edges[e].to];
        if (to->exit != FLOW_THROW || to->end - to->first < 2)
            continue;
        const struct instr *load = &flow->il.instrs[to->end - 2];
        if (branch->local != IL_NO_INDEX
                ? il_loaded_local(load) == branch->local
                : load->op == OP_LDFLD &&
                      str_eq(name_of_member(flow->context.md, load->operand), branch->member))
            return true;
    }
    return false;
}

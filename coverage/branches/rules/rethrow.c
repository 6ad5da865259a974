#include "coverage/branches/rules/rules.h"

#include "coverage/statements/il_idioms.h"
#include "metadata/names.h"

/* `throw;` after an await in a catch, where the exception must be loaded from a field: x = field as
 * Exception; if (x == null) throw field; */
bool rule_rethrow(const struct board *board, const struct branch *branch)
{
    const struct flow *flow = board->flow;
    const struct block *b = &flow->blocks[branch->block];
    if (!branch->visible || branch->load == IL_NO_INDEX ||
        flow->il.instrs[branch->load].op != OP_LDFLD || !idiom_spilled_value(branch->member))
        return false;
    for (uint32_t e = b->first_edge; e < b->first_edge + b->edge_count; e++) {
        const struct block *to = &flow->blocks[flow->edges[e].to];
        if (to->exit != FLOW_THROW || to->end - to->first < 2)
            continue;
        const struct instr *load = &flow->il.instrs[to->end - 2];
        if (load->op == OP_LDFLD &&
            str_eq(name_of_member(flow->context.md, load->operand), branch->member))
            return true;
    }
    return false;
}

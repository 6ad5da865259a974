#include "coverage/branches/rules/rules.h"

#include "coverage/statements/il_idioms.h"
#include "metadata/names.h"

/* An awaiter that is not completed suspends the method; the program then continues elsewhere. */
bool rule_await_completed(const struct board *board, const struct branch *branch)
{
    return board->awaits && idiom_await_continues(board->flow, branch->block) != NO_BLOCK;
}

/* isinst ICriticalNotifyCompletion; stloc C; ...; ldloc C; brtrue, under a hidden point. */
bool rule_await_notified(const struct board *board, const struct branch *branch)
{
    const struct flow *flow = board->flow;
    const struct metadata *md = flow->context.md;
    if (!board->awaits || branch->visible || branch->local == IL_NO_INDEX)
        return false;
    for (uint32_t i = flow->blocks[branch->block].first + 1; i < branch->load; i++) {
        const struct instr *cast = &flow->il.instrs[i - 1];
        if (il_stored_local(cast + 1) == branch->local && cast->op == OP_ISINST &&
            TOKEN_TABLE(cast->operand) == TABLE_TypeRef &&
            str_is(row_string(md, COL_TypeRef_TypeName, TOKEN_RID(cast->operand)),
                   "ICriticalNotifyCompletion"))
            return true;
    }
    return false;
}

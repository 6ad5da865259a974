#include "coverage/branches/rules/rules.h"

/* `t?.M()` of an unconstrained T boxes a fresh default value: is T a class? */
bool rule_boxed_default(const struct board *board, const struct branch *branch)
{
    const struct instr *instrs = board->flow->il.instrs;
    uint32_t load = branch->load;
    return branch->local != IL_NO_INDEX && load != 0 && instrs[load + 1].op == OP_BOX &&
           instrs[load - 1].op == OP_INITOBJ;
}

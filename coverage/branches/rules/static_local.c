#include "coverage/branches/rules/rules.h"

#include "metadata/names.h"

/* Has a Static local of Visual Basic been initialised? $STATIC$NextNumber$008$number$Init exists,
 * and its field State, which has a public name, holds the answer. */
bool rule_static_local(const struct board *board, const struct branch *branch)
{
    const struct instr *instrs = board->flow->il.instrs;
    struct str field = branch->member;
    uint32_t load = branch->load;
    if (load == IL_NO_INDEX || (instrs[load].op != OP_LDFLD && instrs[load].op != OP_LDSFLD))
        return false;
    if (load != 0 && str_is(field, "State"))
        field = name_of_member(board->flow->context.md, instrs[load - 1].operand);
    return str_starts(field, "$STATIC$");
}

#include "coverage/branches/rules/rules.h"

/* RaiseEvent Clicked(1) of Visual Basic: x = Me.ClickedEvent; if (x != null) x.Invoke(1). Source
 * code can't copy the field and test the copy in one statement. */
bool rule_raise_event(const struct board *board, const struct branch *branch)
{
    const struct il *il = &board->flow->il;
    const struct instr *instrs = il->instrs;
    uint32_t last = branch->last, load = branch->load;
    if (load == IL_NO_INDEX || (instrs[load].op != OP_LDFLD && instrs[load].op != OP_LDSFLD) ||
        last != load + 3 || last + 1 == il->count || !str_ends(branch->member, "Event"))
        return false;
    uint32_t copy = il_stored_local(&instrs[load + 1]);
    return copy != IL_NO_INDEX && il_loaded_local(&instrs[load + 2]) == copy &&
           (instrs[last].op == OP_BRFALSE || instrs[last].op == OP_BRFALSE_S) &&
           il_loaded_local(&instrs[last + 1]) == copy;
}

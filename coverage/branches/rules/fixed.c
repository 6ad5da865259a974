#include "coverage/branches/rules/rules.h"

enum {
    PINNED_WITHIN = 4, /* instructions */
};

/* `fixed (int* p = array)` asks whether the array is null, and whether its length is 0. The array
 * is in a pinned local by then. */
bool rule_fixed_check(const struct board *board, const struct branch *branch)
{
    const struct flow *flow = board->flow;
    for (uint32_t i = branch->last; i > 0 && branch->last - i < PINNED_WITHIN; i--) {
        const struct instr *instr = &flow->il.instrs[i - 1];
        if (il_info(instr)->flow != FLOW_NEXT)
            break;
        uint32_t local = il_loaded_local(instr);
        if (local == IL_NO_INDEX)
            local = il_stored_local(instr);
        if (local != IL_NO_INDEX && sig_is_pinned(stack_local_type(&flow->context, local)))
            return true;
    }
    return false;
}

#include "coverage/branches/rules/rules.h"

#include "coverage/statements/il_idioms.h"

/* The last instruction before `before` that stores to what `load` loads; IL_NO_INDEX if there is
 * none. */
static uint32_t answer_store(const struct flow *flow, const struct branch *branch, uint32_t local,
                             uint32_t before)
{
    const struct instr *instrs = flow->il.instrs;
    for (uint32_t i = before; i-- > 0;)
        if (local != IL_NO_INDEX ? il_stored_local(&instrs[i]) == local
                                 : instrs[i].op == OP_STFLD &&
                                       str_eq(idiom_member(flow, &instrs[i]), branch->member))
            return i;
    return IL_NO_INDEX;
}

/* `d.Name += x` adds a handler if Name is an event; a call site says so, once, and two branches
 * test its answer: the member is read if it is none, and then set. */
bool rule_event_test(const struct board *board, const struct branch *branch)
{
    const struct flow *flow = board->flow;
    if (branch->load == IL_NO_INDEX || !board->makes_call_sites)
        return false;
    uint32_t value = branch->load, local = branch->local;
    if (local == IL_NO_INDEX && branch->load_op != OP_LDFLD)
        return call_site_invoked(flow, value, STR("IsEvent"), STR(""));
    do { /* an async method may keep the answer in a field, by way of a local */
        uint32_t store = answer_store(flow, branch, local, value);
        if (store == IL_NO_INDEX || store == 0)
            return false;
        value = store - 1;
        local = il_loaded_local(&flow->il.instrs[value]);
    } while (local != IL_NO_INDEX);
    return call_site_invoked(flow, value, STR("IsEvent"), STR(""));
}

/* On Error of Visual Basic. The compiler puts the method into a try with a filter, and tells by
 * numbers which handler is active and which statement failed:
 *     filter: isinst Exception; ldnull; cgt.un; ldloc active; ldc.i4.0; cgt.un; and;
 *             ldloc failed; ldc.i4.0; ceq; and; endfilter
 * Its handler, and the code behind the try, ask for these numbers. The filter of a Catch calls
 * SetProjectError before its condition. */
#include "coverage/branches/rules.h"

enum {
    ASKED_WITHIN = 6, /* instructions: ldloc, ldc, add, ldc, stloc; switch */
};

/* Does the filter of the clause load the local, and is it that of On Error? */
static bool filter_asks(const struct flow *flow, const struct eh_clause *clause, uint32_t local)
{
    const struct il *il = &flow->il;
    bool found = false;
    for (uint32_t i = il->index_at[clause->filter_offset]; i + 1 < il->count; i++) {
        if (il->instrs[i + 1].op == OP_ENDFILTER)
            return found && il->instrs[i].op == OP_AND;
        if (il_info(&il->instrs[i])->flow != FLOW_NEXT || il_is_call(&il->instrs[i]))
            return false;
        found |= il_loaded_local(&il->instrs[i]) == local;
    }
    return false;
}

bool rule_on_error(const struct branches *branches, const struct branch *branch)
{
    const struct flow *flow = branches->flow;
    const struct il_body *body = &flow->body;
    for (uint32_t i = branch->last; i-- > 0 && branch->last - i < ASKED_WITHIN;) {
        uint32_t local = il_loaded_local(&flow->il.instrs[i]);
        if (il_info(&flow->il.instrs[i])->flow != FLOW_NEXT)
            break;
        for (uint32_t c = 0; local != NO_INDEX && c < body->clause_count; c++)
            if (body->clauses[c].flags == EH_FILTER && filter_asks(flow, &body->clauses[c], local))
                return true;
    }
    return false;
}

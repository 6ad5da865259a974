/* Handlers of interpolated strings (C# 10). A handler may say, when it is made, that it does not
 * want the text, and after each part that it wants no more. */
#include "coverage/branches/rules.h"

#include "coverage/statements/il_idioms.h"

enum {
    APPENDS_WITHIN = 64, /* instructions from the start of the text */
};

/* Is something appended to a text, still within the statement of instruction `first`? */
static bool appends_text(const struct branches *b, uint32_t first)
{
    const struct il *il = &b->flow->il;
    for (uint32_t i = first; i < il->count && i - first < APPENDS_WITHIN &&
                             b->map.point_of[i] == b->map.point_of[first];
         i++)
        if (idiom_append(b->flow, i))
            return true;
    return false;
}

/* The bool by which a handler says whether it wants the text is the last argument of its
 * constructor. The text is appended to the object that this constructor made, in the same
 * statement. */
bool rule_handler_answer(const struct branches *branches, const struct branch *branch)
{
    const struct flow *flow = branches->flow;
    const struct instr *instrs = flow->il.instrs;
    uint32_t load = branch->load, next = flow->blocks[branch->block].end;
    if (branch->local == NO_INDEX)
        return false;
    uint32_t stores = load != 0 && il_stored_local(&instrs[load - 1]) != NO_INDEX;
    if (load < 2 + stores || next == flow->il.count ||
        branches->map.point_of[load - 1 - stores] != branches->map.point_of[next])
        return false;
    const struct instr *maker = &instrs[load - 1 - stores];
    uint32_t appended_to = il_address_of_local(&instrs[next]);
    if (appended_to == NO_INDEX)
        appended_to = il_loaded_local(&instrs[next]);
    return (maker->op == OP_CALL || maker->op == OP_NEWOBJ) &&
           (maker->op == OP_NEWOBJ) == (stores != 0) && appended_to != NO_INDEX &&
           str_is(idiom_member(flow, maker), ".ctor") &&
           il_address_of_local(maker - 1) == branch->local &&
           (stores == 0 || il_stored_local(&instrs[load - 1]) == appended_to) &&
           appends_text(branches, next);
}

bool rule_text_appended(const struct branches *branches, const struct branch *branch)
{
    return branch->load != NO_INDEX && idiom_append(branches->flow, branch->load);
}

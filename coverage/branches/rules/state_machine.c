/* MoveNext of an async method or iterator begins with a switch over the state in which it was
 * left. */
#include "coverage/branches/rules/rules.h"

#include "coverage/statements/il_idioms.h"
#include "metadata/names.h"

enum {
    STATE_TAKEN_WITHIN = 16, /* instructions from the start of MoveNext */
};

/* Is the local only a copy of the state in which the state machine was left? The copy is made
 * before anything else. */
static bool holds_state(const struct flow *flow, uint32_t local)
{
    const struct il *il = &flow->il;
    for (uint32_t i = 1; i < il->count && i < STATE_TAKEN_WITHIN; i++)
        if (il_stored_local(&il->instrs[i]) == local && il->instrs[i - 1].op == OP_LDFLD)
            return idiom_state_field(name_of_member(flow->context.md, il->instrs[i - 1].operand));
    return false;
}

bool rule_state_dispatch(const struct board *board, const struct branch *branch)
{
    if (!board->is_state_machine || branch->load == IL_NO_INDEX)
        return false;
    if (branch->local != IL_NO_INDEX)
        return holds_state(board->flow, branch->local);
    return board->flow->il.instrs[branch->load].op == OP_LDFLD && idiom_state_field(branch->member);
}

/* The way back to an await in a handler comes before the first statement of the handler, unless
 * nothing comes before it at all: an iterator may begin with a condition under a hidden point. */
bool rule_way_back(const struct board *board, const struct branch *branch)
{
    const struct point_map *map = &board->map;
    if (branch->before != NO_POINT || !board->is_state_machine)
        return false;
    for (uint32_t p = 0; p < map->points->count; p++)
        if (point_map_is_visible(map, p))
            return map->points->points[p].il_offset < board->flow->il.instrs[branch->last].offset;
    return false;
}

/* III.1.3 has no names, but metadata does, and names with '<' can't be written in any source.
 * Values of the user, too, are in fields without a name of the user: those that are kept across a
 * suspension (`<>s__`, `<>7__wrap`), and `this` of a lambda, local function, async method or
 * iterator (`<>4__this`). Those are excluded. */
bool rule_generated_field(const struct board *board, const struct branch *branch)
{
    if (branch->load == IL_NO_INDEX)
        return false;
    uint8_t op = board->flow->il.instrs[branch->load].op;
    return (op == OP_LDSFLD || (op == OP_LDFLD && !idiom_value_of_user(branch->member))) &&
           str_starts(branch->member, "<>");
}

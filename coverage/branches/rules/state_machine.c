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

static bool tests_bool_local(const struct board *board, const struct branch *branch)
{
    const struct flow *flow = board->flow;
    return branch->local != IL_NO_INDEX && il_tests_bool(&flow->il.instrs[branch->last]) &&
           sig_first_element(stack_local_type(&flow->context, branch->local)) == ELEMENT_BOOLEAN;
}

/* The way back to an await in a handler comes before the first statement of the handler, unless
 * nothing comes before it at all: an iterator may begin with a condition under a hidden point.
 * A `switch` of Release code has no point, either. It may be the first statement of a `finally`, or
 * follow a handler. */
bool rule_way_back(const struct board *board, const struct branch *branch)
{
    const struct point_map *map = &board->map;
    const struct il_body *body = &board->flow->body;
    uint32_t offset = board->flow->il.instrs[branch->last].offset;
    if (branch->before != NO_POINT || !board->is_state_machine ||
        body_handler_around(body, offset) == 0 ||
        !(body_is_in_filter(body, offset) || tests_bool_local(board, branch)))
        return false;
    for (uint32_t p = 0; p < map->points->count; p++)
        if (point_map_is_visible(map, p))
            return map->points->points[p].il_offset < offset;
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

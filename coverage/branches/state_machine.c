/* Methods that are left and entered again: async methods, iterators. */
#include "coverage/branches/rules.h"

#include "coverage/statements/il_idioms.h"

/* MoveNext of an async method or iterator begins with a switch over the state in which it was
 * left. */
bool rule_state_dispatch(const struct branches *branches, const struct branch *branch)
{
    return branches->is_state_machine && idiom_tests_state(branches->flow, branch->block);
}

static bool tests_bool_local(const struct branches *branches, const struct branch *branch)
{
    const struct flow *flow = branches->flow;
    return branch->local != NO_INDEX && il_tests_bool(&flow->il.instrs[branch->last]) &&
           sig_first_element(stack_local_type(&flow->context, branch->local)) == ELEMENT_BOOLEAN;
}

/* The way back to an await in a handler comes before the first statement of the handler, unless
 * nothing comes before it at all: an iterator may begin with a condition under a hidden point.
 * A `switch` of Release code has no point, either. It may be the first statement of a `finally`, or
 * follow a handler. */
bool rule_way_back(const struct branches *branches, const struct branch *branch)
{
    const struct point_map *map = &branches->map;
    const struct il_body *body = &branches->flow->body;
    uint32_t offset = branches->flow->il.instrs[branch->last].offset;
    if (branch->before != NO_INDEX || !branches->is_state_machine ||
        body_handler_around(body, offset) == 0 ||
        !(body_is_in_filter(body, offset) || tests_bool_local(branches, branch)))
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
bool rule_generated_field(const struct branches *branches, const struct branch *branch)
{
    (void)branches;
    return (branch->load_op == OP_LDSFLD ||
            (branch->load_op == OP_LDFLD && !idiom_value_of_user(branch->member))) &&
           str_starts(branch->member, "<>");
}

/* An awaiter that is not completed suspends the method; the program then continues elsewhere. */
bool rule_await_completed(const struct branches *branches, const struct branch *branch)
{
    return branches->awaits && idiom_await_continues(branches->flow, branch->block) != NO_INDEX;
}

/* isinst ICriticalNotifyCompletion; stloc C; ...; ldloc C; brtrue, under a hidden point. */
bool rule_await_notified(const struct branches *branches, const struct branch *branch)
{
    const struct flow *flow = branches->flow;
    if (!branches->awaits || branch->visible || branch->local == NO_INDEX)
        return false;
    for (uint32_t i = flow->blocks[branch->block].first + 1; i < branch->load; i++) {
        const struct instr *cast = &flow->il.instrs[i - 1];
        if (il_stored_local(cast + 1) == branch->local && cast->op == OP_ISINST &&
            TOKEN_TABLE(cast->operand) == TABLE_TypeRef &&
            str_is(row_string(flow->context.md, COL_TypeRef_TypeName, TOKEN_RID(cast->operand)),
                   "ICriticalNotifyCompletion"))
            return true;
    }
    return false;
}

/* What no earlier rule recognises was written by the user, if a statement is there. With a visible
 * point it is a condition. With a hidden one it is part of a switch or, right after the store of
 * what it tests, of a condition that Debug code splits in two. */
#include "coverage/branches/rules/rules.h"

/* A filter begins with `isinst E`, before the point of its condition. */
bool rule_filter_type(const struct board *board, const struct branch *branch)
{
    return branch->before == NO_POINT &&
           body_is_in_filter(&board->flow->body, board->flow->il.instrs[branch->last].offset);
}

/* The handler of a filter finds the rule once more, before the point of what it does. */
bool rule_after_filter(const struct board *board, const struct branch *branch)
{
    const struct flow *flow = board->flow;
    uint32_t offset = flow->il.instrs[branch->last].offset;
    return branch->before == NO_POINT && body_is_in_handler_of_filter(&flow->body, offset);
}

bool rule_no_statement(const struct board *board, const struct branch *branch)
{
    return board_statement(board, branch) == NO_POINT;
}

bool rule_condition(const struct board *board, const struct branch *branch)
{
    return branch->before != NO_POINT &&
           board->flow->blocks[branch->block].exit == FLOW_CONDITION &&
           (branch->visible || branch->just_stored);
}

bool rule_dispatch(const struct board *board, const struct branch *branch)
{
    return !rule_condition(board, branch);
}

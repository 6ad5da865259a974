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

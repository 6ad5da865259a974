#include "coverage/branches/rules/rules.h"

/* A filter begins with `isinst E`, before the point of its condition. */
bool rule_filter_type(const struct board *board, const struct branch *branch)
{
    return branch->before == NO_POINT &&
           body_is_in_filter(&board->flow->body, board->flow->il.instrs[branch->last].offset);
}

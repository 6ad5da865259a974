/* What no earlier rule recognises was written by the user. With a visible point it is a condition.
 * With a hidden one it is part of a switch or, right after the store of what it tests, of a
 * condition that Debug code splits in two. */
#include "coverage/branches/rules/rules.h"

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

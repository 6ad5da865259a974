#include "coverage/branches/rules/rules.h"

#include "coverage/statements/il_idioms.h"

/* An awaiter that is not completed suspends the method; the program then continues elsewhere. */
bool rule_await_completed(const struct board *board, const struct branch *branch)
{
    return board->awaits && idiom_await_continues(board->flow, branch->block) != NO_BLOCK;
}

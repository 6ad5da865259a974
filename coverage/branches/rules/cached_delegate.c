/* The delegate of a lambda that captures nothing is made once, and kept in a static field:
 *     ldsfld <>9__0_1; dup; brtrue; pop; ldsfld; ldftn; newobj; dup; stsfld <>9__0_1 */
#include "coverage/branches/rules/rules.h"

/* <>9__0_1 of a lambda, <0>__M of a method group; not <P>k__BackingField, which is the user's
 * property. */
bool rule_cached_delegate(const struct board *board, const struct branch *branch)
{
    struct str field = branch->member;
    return branch->load != IL_NO_INDEX && board->flow->il.instrs[branch->load].op == OP_LDSFLD &&
           (str_starts(field, "<>9") || (field.len > 1 && field.text[0] == '<' &&
                                         field.text[1] >= '0' && field.text[1] <= '9'));
}

/* _Closure$__::$I3-0 of a lambda, $IR1-2 of one whose type is relaxed. */
bool rule_vb_cached_delegate(const struct board *board, const struct branch *branch)
{
    if (branch->load == IL_NO_INDEX)
        return false;
    uint8_t op = board->flow->il.instrs[branch->load].op;
    return (op == OP_LDFLD || op == OP_LDSFLD) && str_starts(branch->member, "$I");
}

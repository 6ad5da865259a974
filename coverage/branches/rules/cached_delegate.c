/* The delegate of a lambda that captures nothing is made once and kept in a static field:
 *     ldsfld <>9__0_1; dup; brtrue; pop; ldsfld; ldftn; newobj; dup; stsfld <>9__0_1 */
#include "coverage/branches/rules/rules.h"

/* C#: <>9__0_1 for a lambda, <0>__M for a method group; not <P>k__BackingField, which belongs to a
 * property of the user. */
static bool is_cache(struct str field)
{
    return str_starts(field, "<>9") ||
           (field.len > 1 && field.text[0] == '<' && field.text[1] >= '0' && field.text[1] <= '9');
}

/* Visual Basic: _Closure$__::$I3-0 for a lambda, $IR1-2 for a lambda with a relaxed type. */
static bool is_vb_cache(struct str field)
{
    return str_starts(field, "$I");
}

bool rule_cached_delegate(const struct board *board, const struct branch *branch)
{
    if (branch->load == IL_NO_INDEX)
        return false;
    uint8_t op = board->flow->il.instrs[branch->load].op;
    if (board->language == LANGUAGE_VISUAL_BASIC && (op == OP_LDFLD || op == OP_LDSFLD) &&
        is_vb_cache(branch->member))
        return true;
    return op == OP_LDSFLD && is_cache(branch->member);
}

#include "coverage/branches/rules/rules.h"

#include "coverage/statements/call_site.h"

/* An operation on `dynamic` has a call site, which is made once: ldsfld <>o__3::<>p__0; brfalse. */
bool rule_cached_call_site(const struct board *board, const struct branch *branch)
{
    return branch->load != IL_NO_INDEX && board->flow->il.instrs[branch->load].op == OP_LDSFLD &&
           call_site_field(branch->member);
}

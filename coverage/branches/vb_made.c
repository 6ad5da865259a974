#include "coverage/branches/vb_made.h"

#include "metadata/names.h"

/* _Closure$__::$I3-0 of a lambda, $IR1-2 of one whose type is relaxed. */
static bool is_delegate_cache(struct str field)
{
    return str_starts(field, "$I");
}

/* A Static local has been initialised: $STATIC$NextNumber$008$number$Init is there, and its State, which
 * has a public name, says so. */
static bool is_static_local(const struct metadata *md, const struct instr *instrs, uint32_t load)
{
    struct str field = name_of_member(md, instrs[load].operand);
    if (load != 0 && str_is(field, "State"))
        field = name_of_member(md, instrs[load - 1].operand);
    return str_starts(field, "$STATIC$");
}

/* RaiseEvent Clicked(1): x = Me.ClickedEvent; if (x != null) x.Invoke(1). In source nobody keeps the field
 * and tests the copy in one statement. */
static bool raises_event(const struct flow *flow, uint32_t n, uint32_t load)
{
    const struct instr *instrs = flow->il.instrs;
    const struct block *block = &flow->blocks[n];
    uint32_t last = block->end - 1;
    struct str field = name_of_member(flow->context.md, instrs[load].operand);
    if (last != load + 3 || block->end == flow->il.count || !str_ends(field, "Event"))
        return false;
    uint32_t copy = il_stored_local(&instrs[load + 1]);
    return copy != IL_NO_INDEX && il_loaded_local(&instrs[load + 2]) == copy &&
           (instrs[last].op == OP_BRFALSE || instrs[last].op == OP_BRFALSE_S) &&
           il_loaded_local(&instrs[last + 1]) == copy;
}

bool made_vb_test(const struct flow *flow, uint32_t n, uint32_t load)
{
    const struct instr *instrs = flow->il.instrs;
    uint8_t op = instrs[load].op;
    if (op != OP_LDFLD && op != OP_LDSFLD)
        return false;
    return is_delegate_cache(name_of_member(flow->context.md, instrs[load].operand)) ||
           is_static_local(flow->context.md, instrs, load) || raises_event(flow, n, load);
}

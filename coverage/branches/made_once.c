/* What the compiler makes once, where it is first needed, and keeps in a field; and what a call
 * site, which is one of these, is asked. */
#include "coverage/branches/rules.h"

#include "coverage/statements/il_idioms.h"
#include "metadata/lookup.h"

/* C#: <>9__0_1 for a lambda, <0>__M for a method group; not <P>k__BackingField, which belongs to a
 * property of the user. */
static bool is_cache(struct str field)
{
    return str_starts(field, "<>9") ||
           (field.len > 1 && field.text[0] == '<' && field.text[1] >= '0' && field.text[1] <= '9');
}

/* The delegate of a lambda that captures nothing is made once and kept in a static field:
 *     ldsfld <>9__0_1; dup; brtrue; pop; ldsfld; ldftn; newobj; dup; stsfld <>9__0_1
 * Visual Basic: _Closure$__::$I3-0 for a lambda, $IR1-2 for one with a relaxed type. */
bool rule_cached_delegate(const struct branches *branches, const struct branch *branch)
{
    bool is_vb = branches->language == LANGUAGE_VISUAL_BASIC && str_starts(branch->member, "$I");
    return branch->load_op == OP_LDSFLD ? is_vb || is_cache(branch->member)
                                        : is_vb && branch->load_op == OP_LDFLD;
}

/* An operation on `dynamic` has a call site, which is made once: ldsfld <>o__3::<>p__0; brfalse. */
bool rule_cached_call_site(const struct branches *branches, const struct branch *branch)
{
    (void)branches;
    return branch->load_op == OP_LDSFLD && call_site_field(branch->member);
}

/* For targets before .NET 8, a constant span of ints and similar types has an array, made on first
 * use, in a field of a class that no source can name. */
bool rule_constant_array(const struct branches *branches, const struct branch *branch)
{
    const struct metadata *md = branches->flow->context.md;
    uint32_t field =
        branch->load_op == OP_LDSFLD ? branches->flow->il.instrs[branch->load].operand : 0;
    if (TOKEN_TABLE(field) != TABLE_Field)
        return false;
    uint32_t owner = owner_of_field(md, TOKEN_RID(field));
    return str_starts(row_string(md, COL_TypeDef_TypeName, owner),
                      "<PrivateImplementationDetails>");
}

/* Has a Static local of Visual Basic been initialised? $STATIC$NextNumber$008$number$Init exists,
 * and its field State holds the answer; the value is in $STATIC$NextNumber$008$number. */
bool rule_static_local(const struct branches *branches, const struct branch *branch)
{
    struct str field = branch->member;
    if (branch->load_op != OP_LDFLD && branch->load_op != OP_LDSFLD)
        return false;
    if (branch->load != 0 && str_is(field, "State"))
        field = idiom_member(branches->flow, &branches->flow->il.instrs[branch->load - 1]);
    return str_glob(STR("$STATIC$*$*$*$Init"), field);
}

/* The last instruction before `before` that stores to what `load` loads; NO_INDEX if there is
 * none. */
static uint32_t answer_store(const struct flow *flow, const struct branch *branch, uint32_t local,
                             uint32_t before)
{
    const struct instr *instrs = flow->il.instrs;
    for (uint32_t i = before; i-- > 0;)
        if (local != NO_INDEX ? il_stored_local(&instrs[i]) == local
                              : instrs[i].op == OP_STFLD &&
                                    str_eq(idiom_member(flow, &instrs[i]), branch->member))
            return i;
    return NO_INDEX;
}

/* `d.Name += x` adds a handler if Name is an event; a call site says so, once, and two branches
 * test its answer: the member is read if it is none, and then set. */
bool rule_event_test(const struct branches *branches, const struct branch *branch)
{
    const struct flow *flow = branches->flow;
    if (branch->load == NO_INDEX || !branches->makes_call_sites)
        return false;
    uint32_t value = branch->load, local = branch->local;
    if (local == NO_INDEX && branch->load_op != OP_LDFLD)
        return call_site_invoked(flow, value, STR("IsEvent"), STR(""));
    do { /* an async method may keep the answer in a field, by way of a local */
        uint32_t store = answer_store(flow, branch, local, value);
        if (store == NO_INDEX || store == 0)
            return false;
        value = store - 1;
        local = il_loaded_local(&flow->il.instrs[value]);
    } while (local != NO_INDEX);
    return call_site_invoked(flow, value, STR("IsEvent"), STR(""));
}

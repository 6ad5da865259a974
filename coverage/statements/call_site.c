#include "coverage/statements/call_site.h"

#include "coverage/statements/il_idioms.h"

enum {
    INVOKED_WITHIN = 12, /* instructions from where the call site was kept */
    NAMED_WITHIN = 40    /* instructions before that */
};

bool call_site_field(struct str field)
{
    return str_starts(field, "<>p__");
}

/* Where the call site that an instruction invokes is kept when it has been made; IL_NO_INDEX if the
 * instruction invokes none. */
static uint32_t kept_at(const struct flow *flow, uint32_t invoke)
{
    const struct instr *instrs = flow->il.instrs;
    if (instrs[invoke].op != OP_CALLVIRT || !str_is(idiom_member(flow, &instrs[invoke]), "Invoke"))
        return IL_NO_INDEX;
    for (uint32_t i = invoke; i-- > 0 && invoke - i <= INVOKED_WITHIN;) {
        if (il_is_call(&instrs[i]) || instrs[i].op == OP_NEWOBJ)
            break;
        if (instrs[i].op == OP_STSFLD)
            return call_site_field(idiom_member(flow, &instrs[i])) ? i : IL_NO_INDEX;
    }
    return IL_NO_INDEX;
}

/* Is it the text of an ldstr? II.24.2.4: UTF-16, then one byte. */
static bool is_string_text(const struct flow *flow, const struct instr *ldstr, struct str text)
{
    struct view chars = heap_user_string(flow->context.md, TOKEN_RID(ldstr->operand));
    if (chars.len / 2 != text.len)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (chars.data[2 * i] != (uint8_t)text.text[i] || chars.data[2 * i + 1] != 0)
            return false;
    return true;
}

bool call_site_invoked(const struct flow *flow, uint32_t instr, struct str maker, struct str member)
{
    const struct instr *instrs = flow->il.instrs;
    uint32_t kept = kept_at(flow, instr);
    if (kept == IL_NO_INDEX || kept < 2 || instrs[kept - 2].op != OP_CALL ||
        !str_eq(idiom_member(flow, &instrs[kept - 2]), maker))
        return false;
    if (member.len == 0)
        return true;
    for (uint32_t i = kept; i-- > 0 && kept - i <= NAMED_WITHIN;)
        if (instrs[i].op == OP_LDSTR)
            return is_string_text(flow, &instrs[i], member);
    return false;
}

uint32_t call_site_continues(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    if (block->exit != FLOW_CONDITION || block->edge_count != 2 || block->end < 2)
        return NO_BLOCK;
    const struct instr *load = &flow->il.instrs[block->end - 2];
    bool is_asked = load->op == OP_LDSFLD && call_site_field(idiom_member(flow, load));
    return is_asked ? idiom_way_if(flow, n, true) : NO_BLOCK;
}

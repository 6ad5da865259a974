#include "coverage/statements/call_site.h"

#include "metadata/names.h"

enum {
    INVOKED_WITHIN = 12, /* instructions from where the call site was kept */
    NAMED_WITHIN = 40    /* instructions before that */
};

static bool calls(const struct instr *instr)
{
    return instr->op == OP_CALL || instr->op == OP_CALLVIRT || instr->op == OP_NEWOBJ;
}

bool call_site_field(struct str field)
{
    return str_starts(field, "<>p__");
}

/* Where the call site that an instruction invokes is kept when it has been made; IL_NO_INDEX if the
 * instruction invokes none. */
static uint32_t kept_at(const struct flow *flow, uint32_t invoke)
{
    const struct instr *instrs = flow->il.instrs;
    const struct metadata *md = flow->context.md;
    if (instrs[invoke].op != OP_CALLVIRT ||
        !str_is(name_of_member(md, instrs[invoke].operand), "Invoke"))
        return IL_NO_INDEX;
    for (uint32_t i = invoke; i-- > 0 && invoke - i <= INVOKED_WITHIN && !calls(&instrs[i]);)
        if (instrs[i].op == OP_STSFLD)
            return call_site_field(name_of_member(md, instrs[i].operand)) ? i : IL_NO_INDEX;
    return IL_NO_INDEX;
}

/* Is it the text of an ldstr? II.24.2.4: UTF-16, then one byte. */
static bool is_text(const struct flow *flow, const struct instr *ldstr, struct str text)
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
        !str_eq(name_of_member(flow->context.md, instrs[kept - 2].operand), maker))
        return false;
    if (member.len == 0)
        return true;
    for (uint32_t i = kept; i-- > 0 && kept - i <= NAMED_WITHIN;)
        if (instrs[i].op == OP_LDSTR)
            return is_text(flow, &instrs[i], member);
    return false;
}

uint32_t call_site_continues(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    const struct instr *instrs = flow->il.instrs;
    if (block->exit != FLOW_CONDITION || block->edge_count != 2 || block->end < 2)
        return NO_BLOCK;
    const struct instr *test = &instrs[block->end - 1], *load = test - 1;
    bool if_null = test->op == OP_BRFALSE || test->op == OP_BRFALSE_S;
    if (load->op != OP_LDSFLD || !call_site_field(name_of_member(flow->context.md, load->operand)))
        return NO_BLOCK;
    for (uint32_t e = block->first_edge; e < block->first_edge + 2; e++)
        if (flow->edges[e].taken != if_null)
            return flow->edges[e].to;
    return NO_BLOCK;
}

#include "coverage/statements/il_idioms.h"

#include "metadata/lookup.h"
#include "metadata/names.h"

enum {
    STATE_TAKEN_WITHIN = 16, /* instructions from the start of MoveNext */
    INVOKED_WITHIN = 12,     /* instructions from where the call site was kept */
    NAMED_WITHIN = 40        /* instructions before that */
};

struct str idiom_member(const struct flow *flow, const struct instr *instr)
{
    return name_of_member(flow->context.md, instr->operand);
}

bool idiom_ends_with_constant(int32_t *value, const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    uint32_t last = flow_last_instr(flow, n);
    last -= block->exit != FLOW_NEXT && last > block->first;
    return block->ends_with_zero_or_one && il_constant(value, &flow->il.instrs[last]);
}

uint32_t idiom_way_if(const struct flow *flow, uint32_t n, bool value)
{
    const struct edge *ways = &flow->edges[flow->blocks[n].first_edge];
    bool taken = il_is_brtrue(&flow->il.instrs[flow_last_instr(flow, n)]) == value;
    return ways[ways[0].taken == taken ? 0 : 1].to;
}

uint32_t idiom_branch_after(const struct flow *flow, uint32_t n)
{
    while (flow->blocks[n].exit == FLOW_NEXT && flow->blocks[n].edge_count == 1)
        n = flow->edges[flow->blocks[n].first_edge].to;
    return n;
}

uint32_t idiom_condition_before(const struct flow *flow, uint32_t n)
{
    do {
        const struct block *block = &flow->blocks[n];
        if (block->in_count != 1 || block->is_entry)
            return NO_INDEX;
        n = flow_edge_in(flow, block, 0)->from;
    } while (flow->blocks[n].exit == FLOW_NEXT);
    return flow->blocks[n].exit == FLOW_CONDITION ? n : NO_INDEX;
}

uint32_t idiom_block_above(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    uint32_t from = NO_INDEX;
    for (uint32_t i = 0; i < block->in_count && flow_edge_in(flow, block, i)->from < n; i++)
        from = flow_edge_in(flow, block, i)->from;
    return from;
}

struct str idiom_external_type(const struct metadata *md, uint32_t token)
{
    token = method_of_instance(md, token);
    if (TOKEN_TABLE(token) != TABLE_MemberRef)
        return STR("");
    uint32_t parent = row_token(md, CODED_MEMBER_REF_PARENT, COL_MemberRef_Class, TOKEN_RID(token));
    return TOKEN_TABLE(parent) == TABLE_TypeRef
               ? row_string(md, COL_TypeRef_TypeName, TOKEN_RID(parent))
               : STR("");
}

/* Is it the field that holds the state in which a state machine was left? */
static bool is_state_field(struct str field)
{
    return str_ends(field, "__state") || str_is(field, "$State"); /* C#; Visual Basic */
}

bool idiom_spilled_value(struct str field)
{
    return str_starts(field, "<>s__") || str_starts(field, "<>7__wrap");
}

bool idiom_value_of_user(struct str field)
{
    return idiom_spilled_value(field) || str_is(field, "<>4__this");
}

bool idiom_append(const struct flow *flow, uint32_t instr)
{
    const struct instr *call = &flow->il.instrs[instr];
    return il_is_call(call) &&
           str_is_one_of(idiom_member(flow, call), "AppendLiteral AppendFormatted");
}

/* Runtime async: AsyncHelpers.Await, UnsafeAwaitAwaiter and the like. */
static bool calls_async_helper(const struct metadata *md, const struct instr *instr)
{
    return instr->op == OP_CALL && str_is(idiom_external_type(md, instr->operand), "AsyncHelpers");
}

/* The field of an iterator that holds what `yield return` gives. */
static bool is_value_yielded(struct str field)
{
    return str_ends(field, "__current") || str_is(field, "$Current"); /* C#; Visual Basic */
}

/* Does the code from here on suspend the state machine? It stores the state first,
 * or calls the runtime. */
static bool suspends_machine(const struct flow *flow, uint32_t first)
{
    for (uint32_t i = first; i < flow->il.count && i - first < 8; i++) {
        const struct instr *instr = &flow->il.instrs[i];
        bool stores = instr->op == OP_STFLD;
        if (stores && is_value_yielded(idiom_member(flow, instr)))
            return false;
        if ((stores && is_state_field(idiom_member(flow, instr))) ||
            calls_async_helper(flow->context.md, instr))
            return true;
        if (il_info(instr)->flow != FLOW_NEXT)
            return false;
    }
    return false;
}

bool idiom_of_one_value(const struct instr *instr)
{
    int32_t constant = 0;
    switch (instr->op) {
    case OP_NOP:
    case OP_DUP:
    case OP_ISINST:
    case OP_BOX:
    case OP_CEQ:
    case OP_CGT_UN:
        return true;
    default:
        return il_constant(&constant, instr);
    }
}

uint32_t idiom_tested_load(const struct flow *flow, uint32_t block)
{
    const struct il *il = &flow->il;
    uint32_t last = flow->blocks[block].end - 1;
    for (uint32_t i = last; i > 0 && last - i < 8; i--) {
        const struct instr *instr = &il->instrs[i - 1];
        if (il_info(instr)->flow != FLOW_NEXT)
            break;
        uint32_t local = il_loaded_local(instr);
        uint32_t before = i >= 2 ? il_before(il, i - 1) : 0;
        if (local != NO_INDEX && il_stored_local(&il->instrs[before]) == local)
            i = before + 1;
        else if (!idiom_of_one_value(instr) && instr->op != OP_SUB) /* the first state is not 0 */
            return i - 1;
    }
    return NO_INDEX;
}

static bool loads_state(const struct flow *flow, const struct instr *instr)
{
    return instr->op == OP_LDFLD && is_state_field(idiom_member(flow, instr));
}

bool idiom_tests_state(const struct flow *flow, uint32_t n)
{
    const struct il *il = &flow->il;
    uint32_t load = idiom_tested_load(flow, n);
    uint32_t local = load != NO_INDEX ? il_loaded_local(&il->instrs[load]) : NO_INDEX;
    if (load != NO_INDEX && loads_state(flow, &il->instrs[load]))
        return true;
    for (uint32_t i = 1; local != NO_INDEX && i < il->count && i < STATE_TAKEN_WITHIN; i++)
        if (il_stored_local(&il->instrs[i]) == local && loads_state(flow, &il->instrs[i - 1]))
            return true;
    return false;
}

/* --- operations on `dynamic` ------------------------------------------------------------------ */

bool call_site_field(struct str field)
{
    return str_starts(field, "<>p__");
}

/* Where the call site that an instruction invokes is kept when it has been made; NO_INDEX if the
 * instruction invokes none. */
static uint32_t kept_at(const struct flow *flow, uint32_t invoke)
{
    const struct instr *instrs = flow->il.instrs;
    if (instrs[invoke].op != OP_CALLVIRT || !str_is(idiom_member(flow, &instrs[invoke]), "Invoke"))
        return NO_INDEX;
    for (uint32_t i = invoke; i-- > 0 && invoke - i <= INVOKED_WITHIN;) {
        if (il_is_call(&instrs[i]) || instrs[i].op == OP_NEWOBJ)
            break;
        if (instrs[i].op == OP_STSFLD)
            return call_site_field(idiom_member(flow, &instrs[i])) ? i : NO_INDEX;
    }
    return NO_INDEX;
}

/* II.24.2.4: UTF-16, then one byte. */
bool idiom_loads_string(const struct flow *flow, const struct instr *instr, struct str text)
{
    struct view chars = heap_user_string(flow->context.md, TOKEN_RID(instr->operand));
    if (instr->op != OP_LDSTR || chars.len / 2 != text.len)
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
    if (kept == NO_INDEX || kept < 2 || instrs[kept - 2].op != OP_CALL ||
        !str_eq(idiom_member(flow, &instrs[kept - 2]), maker))
        return false;
    if (member.len == 0)
        return true;
    for (uint32_t i = kept; i-- > 0 && kept - i <= NAMED_WITHIN;)
        if (instrs[i].op == OP_LDSTR)
            return idiom_loads_string(flow, &instrs[i], member);
    return false;
}

uint32_t call_site_continues(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    if (block->exit != FLOW_CONDITION || block->edge_count != 2 || block->end < 2)
        return NO_INDEX;
    const struct instr *load = &flow->il.instrs[block->end - 2];
    bool is_asked = load->op == OP_LDSFLD && call_site_field(idiom_member(flow, load));
    return is_asked ? idiom_way_if(flow, n, true) : NO_INDEX;
}

/* --- awaits ----------------------------------------------------------------------------------- */

bool idiom_asks_completed(const struct flow *flow, uint32_t instr)
{
    const struct instr *call = &flow->il.instrs[instr];
    return il_is_call(call) &&
           (str_is(idiom_member(flow, call), "get_IsCompleted") ||
            (instr != 0 && str_is(idiom_member(flow, call), "Invoke") &&
             call_site_invoked(flow, instr - 1, STR("GetMember"), STR("IsCompleted"))));
}

uint32_t idiom_await_continues(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    uint32_t load = block->exit == FLOW_CONDITION ? idiom_tested_load(flow, n) : NO_INDEX;
    if (load == NO_INDEX || block->edge_count != 2 || !idiom_asks_completed(flow, load))
        return NO_INDEX;
    const struct edge *ways = &flow->edges[block->first_edge];
    for (unsigned i = 0; i < 2; i++)
        if (suspends_machine(flow, flow->blocks[ways[i].to].first))
            return ways[1 - i].to;
    return NO_INDEX;
}

static bool is_dispose_mode(const struct flow *flow, const struct instr *instr, uint8_t op)
{
    return instr->op == op && str_is(idiom_member(flow, instr), "<>w__disposeMode");
}

bool idiom_yield_breaks(const struct flow *flow, uint32_t n)
{
    const struct instr *instrs = flow->il.instrs;
    int32_t value = 0;
    for (uint32_t i = flow->blocks[n].first + 1; i < flow->blocks[n].end; i++)
        if (is_dispose_mode(flow, &instrs[i], OP_STFLD) && il_constant(&value, &instrs[i - 1]) &&
            value == 1)
            return true;
    return false;
}

uint32_t idiom_undisposed_continues(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    uint32_t load = block->exit == FLOW_CONDITION ? idiom_tested_load(flow, n) : NO_INDEX;
    bool is_asked = load != NO_INDEX && block->edge_count == 2 &&
                    is_dispose_mode(flow, &flow->il.instrs[load], OP_LDFLD);
    return is_asked ? idiom_way_if(flow, n, false) : NO_INDEX;
}

bool idiom_await_ends(const struct flow *flow, uint32_t instr)
{
    const struct instr *before = &flow->il.instrs[instr - 1];
    return il_is_call(before) &&
           (str_is(idiom_member(flow, before), "GetResult") ||
            call_site_invoked(flow, instr - 1, STR("InvokeMember"), STR("GetResult")));
}

static bool is_call_of_thrower(const struct metadata *md, const struct instr *instr)
{
    if (instr->op != OP_CALL || TOKEN_TABLE(instr->operand) != TABLE_MethodDef ||
        !str_starts(name_of_member(md, instr->operand), "Throw"))
        return false;
    uint32_t owner = owner_of_method(md, TOKEN_RID(instr->operand));
    return str_is(row_string(md, COL_TypeDef_TypeName, owner), "<PrivateImplementationDetails>");
}

/* Does it make an exception of the class that the framework has for this, or that a program brings
 * for older frameworks? */
static bool makes_switch_exception(const struct metadata *md, const struct instr *instr)
{
    return instr->op == OP_NEWOBJ &&
           str_is(idiom_external_type(md, instr->operand), "SwitchExpressionException");
}

bool idiom_throw(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    const struct metadata *md = flow->context.md;
    for (uint32_t i = block->first; i < block->end; i++)
        if (is_call_of_thrower(md, &flow->il.instrs[i]) ||
            makes_switch_exception(md, &flow->il.instrs[i]))
            return true;
    const struct instr *maker = block->end >= 2 ? &flow->il.instrs[block->end - 2] : NULL;
    return block->exit == FLOW_THROW &&
           (maker == NULL || (maker->op != OP_NEWOBJ && !il_is_call(maker)));
}

bool idiom_calls(const struct flow *flow, const struct instr *instr, const char *name)
{
    return instr->op == OP_CALL && str_is(idiom_member(flow, instr), name);
}

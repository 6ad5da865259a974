#include "coverage/branches/pattern_test.h"

#include "base/bytes.h"
#include "coverage/statements/il_idioms.h"

#define OF_ARGUMENT (1u << 31) /* in the number of a variable */

/* Is it a method that makes of a value what is compared? */
static bool is_of_comparison(const struct flow *flow, const struct instr *instr, bool *of_part)
{
    struct str name = il_is_call(instr) ? idiom_member(flow, instr) : STR("");
    bool part = str_is_one_of(name, "get_Length get_Chars") || str_starts(name, "Compute");
    *of_part |= part;
    return part || str_is_one_of(name, "op_Equality SequenceEqual AsSpan op_Implicit "
                                       "get_HasValue GetValueOrDefault");
}

static bool converts(const struct instr *instr)
{
    switch (instr->op) {
    case OP_ISINST:
    case OP_CASTCLASS:
    case OP_UNBOX_ANY:
    case OP_SUB:
    case OP_DUP:
    case OP_NOP:
    case OP_LDSTR:
    case OP_LDNULL:
    case OP_LDC_I8:
    case OP_LDC_R4:
    case OP_LDC_R8:
    case OP_CONV_I4:
    case OP_CONV_U4:
    case OP_CONV_I8:
    case OP_CONV_U8:
        return true;
    default:
        return false;
    }
}

/* The local, argument or field of `this` that the instruction loads, or takes the address of; or
 * the local in which the value stays that it leaves on the stack; NO_INDEX: none. */
static uint32_t variable_used(const struct il *il, uint32_t i)
{
    const struct instr *instr = &il->instrs[i];
    uint32_t local = il_loaded_local(instr), arg = il_loaded_arg(instr);
    if (local == NO_INDEX)
        local = il_address_of_local(instr);
    if (local == NO_INDEX && i != 0 && il->instrs[i - 1].op == OP_DUP)
        local = il_stored_local(instr);
    if (instr->op == OP_LDARGA_S || instr->op == OP_LDARGA)
        arg = instr->operand;
    bool is_field = (instr->op == OP_LDFLD || instr->op == OP_LDFLDA) && i != 0;
    if (is_field && il_loaded_arg(instr - 1) == 0)
        return instr->operand;
    return arg != NO_INDEX ? OF_ARGUMENT | arg : local;
}

/* The variable of which the value on top of the stack before instruction `end` of the block was
 * made, without asking anything that a pattern may ask of it. */
static struct pattern_local made_of(const struct pattern_values *v, uint32_t n, uint32_t end)
{
    const struct il *il = &v->flow->il;
    struct pattern_local made = {v->pattern, NO_INDEX, false};
    for (uint32_t i = end;;) {
        const struct block *block = &v->flow->blocks[n];
        int32_t constant;
        if (i == block->first) { /* of a table, the block before asks whether it is in it */
            if (block->in_count != 1 || block->is_entry)
                return made;
            bool within = n != v->first;
            n = flow_edge_in(v->flow, block, 0)->from;
            block = &v->flow->blocks[n];
            if (!within && block->exit != FLOW_NEXT)
                return made;
            i = block->end - (block->exit != FLOW_NEXT);
            continue;
        }
        const struct instr *instr = &il->instrs[--i];
        made.variable = variable_used(il, i);
        if (made.variable != NO_INDEX)
            break;
        if (!converts(instr) && !il_constant(&constant, instr) &&
            !is_of_comparison(v->flow, instr, &made.of_part))
            return made;
    }
    if (made.variable >= v->local_count || v->locals[made.variable].pattern != v->pattern)
        return made;
    const struct pattern_local *local = &v->locals[made.variable];
    return (struct pattern_local){v->pattern, local->variable, made.of_part || local->of_part};
}

/* The way on which the branch jumps, or the other one. */
static uint32_t way_of(const struct flow *flow, uint32_t n, bool taken)
{
    uint32_t first = flow->blocks[n].first_edge;
    return flow->edges[first].taken == taken ? first : first + 1;
}

static bool is_number(const struct flow *flow, const struct instr *load)
{
    uint32_t local = il_loaded_local(load), arg = il_loaded_arg(load);
    struct view type = {NULL, 0};
    if (local != NO_INDEX)
        type = stack_local_type(&flow->context, local);
    else if (arg != NO_INDEX)
        type = stack_argument_type(&flow->context, arg);
    enum element_type element = type.len != 0 ? (enum element_type)type.data[0] : ELEMENT_END;
    return element == ELEMENT_BOOLEAN || (element >= ELEMENT_CHAR && element <= ELEMENT_U8) ||
           element == ELEMENT_VALUETYPE;
}

/* brtrue, brfalse. */
static void read_bool_test(struct pattern_test *out, const struct flow *flow, uint32_t n)
{
    uint32_t last = flow_last_instr(flow, n);
    const struct instr *value = &flow->il.instrs[last - (last != 0)];
    bool is_brtrue = il_is_brtrue(&flow->il.instrs[last]);
    struct str name = il_is_call(value) ? idiom_member(flow, value) : STR("");
    bool compares = str_is_one_of(name, "op_Equality SequenceEqual");
    bool is_zero = str_is(name, "get_Length") || is_number(flow, value);
    out->asks = compares || is_zero ? ASKS_EQUAL : ASKS_PRESENCE;
    out->yes = way_of(flow, n, is_brtrue == compares);
    out->most = out->asks == ASKS_EQUAL ? 0 : INT64_MIN;
}

/* Where a constant begins that ends before instruction `end`, or `end`; of floating point, its
 * bits. */
static uint32_t before_constant(int64_t *value, const struct il *il, uint32_t end)
{
    int32_t small;
    uint32_t at = end - (end != 0);
    uint8_t op = il->instrs[at].op;
    *value = 0;
    if (end != 0 && (op == OP_LDC_I8 || op == OP_LDC_R8)) {
        *value = (int64_t)load_u64(il->code + il->instrs[at].offset + 1);
        return at;
    }
    if (at != 0 && (op == OP_CONV_I8 || op == OP_CONV_U8))
        at--;
    if (!il_constant(&small, &il->instrs[at]))
        return end;
    *value = op == OP_CONV_U8 ? (int64_t)(uint32_t)small : small;
    return at;
}

/* Adds the constant of `ldc low; sub` before instruction `end`, if that is there. */
static bool subtracts(int64_t *most, const struct il *il, uint32_t end)
{
    int64_t low;
    if (end == 0 || il->instrs[end - 1].op != OP_SUB)
        return false;
    (void)before_constant(&low, il, end - 1);
    *most += low;
    return true;
}

/* The comparison of two numbers, of which the second is a constant. */
static void read_comparison(struct pattern_test *out, const struct flow *flow, uint32_t n)
{
    uint32_t last = flow_last_instr(flow, n), end = before_constant(&out->most, &flow->il, last);
    uint8_t op = flow->il.instrs[last].op;
    bool is_beq = op == OP_BEQ || op == OP_BEQ_S;
    if (is_beq || op == OP_BNE_UN || op == OP_BNE_UN_S) {
        out->asks = ASKS_EQUAL;
        out->yes = way_of(flow, n, is_beq);
        return;
    }
    /* x - low <= size; a table of 64 bits is only asked for after that */
    bool of_table = end != 0 && flow->il.instrs[end - 1].op == OP_DUP;
    bool of_range = subtracts(&out->most, &flow->il, end - of_table);
    out->asks = of_table ? ASKS_PRESENCE : of_range ? ASKS_EQUAL : ASKS_ORDER;
    out->yes = way_of(flow, n, op == OP_BLE_UN || op == OP_BLE_UN_S);
}

static void read_switch_test(struct pattern_test *out, const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    const struct il *il = &flow->il;
    uint32_t last = flow_last_instr(flow, n);
    out->asks = ASKS_TABLE;
    out->yes = block->first_edge + block->edge_count - 1;
    out->most = (int64_t)il->targets[il->instrs[last].operand] - 1;
    (void)subtracts(&out->most, il, last - (last != 0 && il->instrs[last - 1].op == OP_CONV_U4));
}

struct pattern_test pattern_test_at(const struct pattern_values *v, uint32_t n)
{
    const struct block *block = &v->flow->blocks[n];
    uint32_t last = flow_last_instr(v->flow, n);
    struct pattern_local made = made_of(v, n, last);
    struct pattern_test test = {ASKS_NOTHING, made.variable, made.of_part, NO_INDEX, 0};
    if (block->edge_count < 2)
        return test;
    if (block->exit == FLOW_SWITCH)
        read_switch_test(&test, v->flow, n);
    else if (il_tests_bool(&v->flow->il.instrs[last]))
        read_bool_test(&test, v->flow, n);
    else
        read_comparison(&test, v->flow, n);
    return test;
}

void pattern_values_note(struct pattern_values *v, uint32_t n)
{
    const struct block *block = &v->flow->blocks[n];
    for (uint32_t i = block->first; i < block->end; i++) {
        uint32_t local = il_stored_local(&v->flow->il.instrs[i]);
        if (local == NO_INDEX)
            continue;
        struct pattern_local made = made_of(v, n, i);
        if (made.variable == NO_INDEX)
            made = (struct pattern_local){v->pattern, local, false};
        v->locals[local] = made;
    }
}

static uint32_t count_locals(const struct il *il)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < il->count; i++) {
        uint32_t local = il_loaded_local(&il->instrs[i]);
        if (local == NO_INDEX)
            local = il_address_of_local(&il->instrs[i]);
        if (local == NO_INDEX)
            local = il_stored_local(&il->instrs[i]);
        count = local != NO_INDEX && local >= count ? local + 1 : count;
    }
    return count;
}

bool pattern_values_make(struct pattern_values *out, const struct flow *flow, struct arena *arena,
                         struct err *err)
{
    *out = (struct pattern_values){.flow = flow, .local_count = count_locals(&flow->il)};
    out->locals = ARENA_NEW(arena, struct pattern_local, out->local_count, err);
    return out->locals != NULL;
}

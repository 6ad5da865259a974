#include "rewriter/il.h"

#include <string.h>

const struct opcode_info opcode_info[OP_COUNT] = {
#define VARIES STACK_VARIES
#define OP(name, mnemonic, code, operand, pops, pushes, flow, throws)                              \
    [OP_##name] = {mnemonic, code, OPERAND_##operand, pops, pushes, FLOW_##flow, THROWS_##throws},
#include "rewriter/opcodes.def"
#undef VARIES
};

_Static_assert(OP_COUNT < UINT8_MAX, "an opcode fits a byte of opcode_of_code");

/* By the only byte of the code in the first half, by the byte after 0xFE in the second. An entry is
 * the opcode plus one; 0 is not an instruction. */
static const uint8_t opcode_of_code[512] = {
#define OP(name, mnemonic, code, operand, pops, pushes, flow, throws)                              \
    [(code) < 0x100 ? (code) : 0x100 + ((code)&0xFF)] = OP_##name + 1,
#include "rewriter/opcodes.def"
};

enum opcode opcode_of(unsigned code)
{
    uint8_t row = opcode_of_code[(code > 0xFF ? 0x100 : 0) + (code & 0xFF)];
    return row == 0 ? OP_INVALID : (enum opcode)(row - 1);
}

static enum opcode read_opcode(struct reader *r)
{
    unsigned first = rd_u8(r);
    return opcode_of(first == 0xFE ? 0xFE00u | rd_u8(r) : first);
}

/* Reads the operand as it is stored; a target is a distance until resolve_targets. */
static void read_stored_operand(struct instr *instr, struct reader *r, uint32_t *switch_slots)
{
    switch ((enum operand_kind)opcode_info[instr->op].operand) {
    case OPERAND_NONE:
        break;
    case OPERAND_VAR8:
        instr->operand = rd_u8(r);
        break;
    case OPERAND_I8:
    case OPERAND_TARGET8:
        instr->operand = (uint32_t)(int8_t)rd_u8(r);
        break;
    case OPERAND_VAR16:
        instr->operand = rd_u16(r);
        break;
    case OPERAND_I32:
    case OPERAND_R32:
    case OPERAND_TOKEN:
    case OPERAND_TARGET32:
        instr->operand = rd_u32(r);
        break;
    case OPERAND_I64:
    case OPERAND_R64:
        (void)rd_take(r, 8);
        break;
    case OPERAND_SWITCH: {
        uint32_t count = rd_u32(r);
        if (count > rd_left(r) / 4)
            r->failed = true;
        (void)rd_take(r, r->failed ? 0 : (size_t)count * 4);
        if (!r->failed)
            *switch_slots += count + 1;
        break;
    }
    }
}

static uint32_t target_index(const struct il *il, const struct instr *instr, uint32_t distance)
{
    uint32_t target =
        instr->offset + instr->len + distance; /* wraps on purpose: distances are signed */
    return target < il->code_size ? il->index_at[target] : NO_INDEX;
}

static bool follows_prefix(const struct il *il, uint32_t index)
{
    return index != 0 && opcode_info[il->instrs[index - 1].op].flow == FLOW_PREFIX;
}

/* III.2: a prefix belongs to a call, a memory access or a type check. Elsewhere it is invalid, and
 * refused: it would bind to the probe that goes before a jump or a store of a variable. */
static bool may_have_prefix(const struct instr *instr)
{
    const struct opcode_info *info = &opcode_info[instr->op];
    return info->flow == FLOW_PREFIX ||
           (info->flow == FLOW_NEXT &&
            (info->operand == OPERAND_TOKEN || info->throws != THROWS_NEVER));
}

static enum verdict check_target(const struct il *il, uint32_t index)
{
    if (index == NO_INDEX)
        return VERDICT_DECLINED_TARGET;
    return follows_prefix(il, index) ? VERDICT_DECLINED_PREFIX : VERDICT_OK;
}

static enum verdict resolve_switch(struct il *il, struct instr *instr)
{
    const uint8_t *at = il->code + instr->offset + 1;
    uint32_t count = load_u32(at);
    instr->operand = il->target_count;
    il->targets[il->target_count++] = count;
    for (uint32_t i = 0; i < count; i++) {
        at += 4;
        uint32_t index = target_index(il, instr, load_u32(at));
        enum verdict verdict = check_target(il, index);
        if (verdict != VERDICT_OK)
            return verdict;
        il->targets[il->target_count++] = index;
    }
    return VERDICT_OK;
}

static enum verdict resolve_targets(struct il *il)
{
    for (uint32_t i = 0; i < il->count; i++) {
        struct instr *instr = &il->instrs[i];
        uint8_t operand = opcode_info[instr->op].operand;
        enum verdict verdict = VERDICT_OK;
        if (operand == OPERAND_TARGET8 || operand == OPERAND_TARGET32) {
            instr->operand = target_index(il, instr, instr->operand);
            verdict = check_target(il, instr->operand);
        } else if (operand == OPERAND_SWITCH) {
            verdict = resolve_switch(il, instr);
        }
        if (verdict != VERDICT_OK)
            return verdict;
    }
    return VERDICT_OK;
}

enum verdict il_decode(struct il *out, const struct il_body *body, struct arena *arena)
{
    *out = (struct il){.code = body->code, .code_size = body->code_size};
    size_t places = (size_t)body->code_size + 1;
    out->instrs =
        arena_raw(arena, body->code_size, sizeof *out->instrs, NULL); /* at most one per byte */
    out->index_at = arena_raw(arena, places, sizeof *out->index_at, NULL);
    if (out->instrs == NULL || out->index_at == NULL)
        return VERDICT_DECLINED_MEMORY;
    memset(out->index_at, 0xFF, places * sizeof *out->index_at);

    struct reader r = rd_open(body->code, body->code_size);
    uint32_t switch_slots = 0;
    while (rd_left(&r) != 0) {
        struct instr *instr = &out->instrs[out->count];
        *instr = (struct instr){.offset = (uint32_t)r.pos};
        enum opcode op = read_opcode(&r);
        if (r.failed || op == OP_INVALID)
            return VERDICT_DECLINED_OPCODE;
        instr->op = (uint8_t)op;
        read_stored_operand(instr, &r, &switch_slots);
        if (r.failed)
            return VERDICT_DECLINED_OPCODE;
        instr->len = (uint32_t)r.pos - instr->offset;
        if (follows_prefix(out, out->count) && !may_have_prefix(instr))
            return VERDICT_DECLINED_OPCODE;
        out->index_at[instr->offset] = out->count++;
    }
    out->index_at[out->code_size] = out->count;
    if (opcode_info[out->instrs[out->count - 1].op].flow == FLOW_PREFIX)
        return VERDICT_DECLINED_FALLS_OFF;
    out->targets = arena_raw(arena, switch_slots, sizeof *out->targets, NULL);
    return out->targets != NULL ? resolve_targets(out) : VERDICT_DECLINED_MEMORY;
}

/* The four short forms are adjacent in opcodes.def. */
static uint32_t short_form(const struct instr *instr, enum opcode first)
{
    return instr->op >= first && instr->op < first + 4 ? (uint32_t)(instr->op - first) : NO_INDEX;
}

uint32_t il_loaded_local(const struct instr *instr)
{
    return instr->op == OP_LDLOC_S || instr->op == OP_LDLOC ? instr->operand
                                                            : short_form(instr, OP_LDLOC_0);
}

uint32_t il_stored_local(const struct instr *instr)
{
    return instr->op == OP_STLOC_S || instr->op == OP_STLOC ? instr->operand
                                                            : short_form(instr, OP_STLOC_0);
}

uint32_t il_loaded_arg(const struct instr *instr)
{
    return instr->op == OP_LDARG_S || instr->op == OP_LDARG ? instr->operand
                                                            : short_form(instr, OP_LDARG_0);
}

uint32_t il_stored_arg(const struct instr *instr)
{
    bool may_change = instr->op == OP_STARG_S || instr->op == OP_STARG ||
                      instr->op == OP_LDARGA_S || instr->op == OP_LDARGA;
    return may_change ? instr->operand : NO_INDEX;
}

bool il_constant(int32_t *value, const struct instr *instr)
{
    if (instr->op >= OP_LDC_I4_M1 && instr->op <= OP_LDC_I4_8) {
        *value = (int32_t)instr->op - OP_LDC_I4_0;
        return true;
    }
    if (instr->op != OP_LDC_I4_S && instr->op != OP_LDC_I4)
        return false;
    *value = (int32_t)instr->operand;
    return true;
}

uint32_t il_before(const struct il *il, uint32_t instr)
{
    do
        instr--;
    while (instr != 0 && il->instrs[instr].op == OP_NOP);
    return instr;
}

bool il_loads_stored(const struct il *il, uint32_t load, uint32_t store)
{
    const struct instr *from = &il->instrs[store], *to = &il->instrs[load];
    uint32_t local = il_stored_local(from);
    if (local != NO_INDEX)
        return il_loaded_local(to) == local;
    return from->op == OP_STFLD && to->op == OP_LDFLD && to->operand == from->operand &&
           load != 0 && il_loaded_arg(to - 1) == 0;
}

bool il_loads_the_same(const struct instr *a, const struct instr *b)
{
    uint32_t local = il_loaded_local(a), arg = il_loaded_arg(a);
    if (local != NO_INDEX || arg != NO_INDEX)
        return il_loaded_local(b) == local && il_loaded_arg(b) == arg;
    return a->op == OP_LDFLD && b->op == OP_LDFLD && a->operand == b->operand;
}

bool il_makes_zero_or_one(const struct il *il, uint32_t instr)
{
    int32_t value = 0, other = 0;
    if (il->instrs[instr].op == OP_CEQ)
        return instr >= 2 && il_constant(&value, &il->instrs[instr - 1]) &&
               il_constant(&other, &il->instrs[instr - 2]);
    return il_constant(&value, &il->instrs[instr]) && (value == 0 || value == 1);
}

uint32_t il_address_of_local(const struct instr *instr)
{
    return instr->op == OP_LDLOCA || instr->op == OP_LDLOCA_S ? instr->operand : NO_INDEX;
}

bool il_is_call(const struct instr *instr)
{
    return instr->op == OP_CALL || instr->op == OP_CALLVIRT;
}

bool il_is_brtrue(const struct instr *instr)
{
    return instr->op == OP_BRTRUE || instr->op == OP_BRTRUE_S;
}

bool il_tests_bool(const struct instr *instr)
{
    return il_is_brtrue(instr) || instr->op == OP_BRFALSE || instr->op == OP_BRFALSE_S;
}

bool il_only_pushes(const struct instr *instr)
{
    const struct opcode_info *info = il_info(instr);
    return instr->op == OP_NOP || instr->op == OP_LDFLD || instr->op == OP_LDFLDA ||
           (info->flow == FLOW_NEXT && info->pops == 0 && info->pushes == 1);
}

void il_write(struct writer *w, enum opcode op)
{
    uint16_t code = opcode_info[op].code;
    if (code > 0xFF)
        wr_u8(w, (uint8_t)(code >> 8));
    wr_u8(w, (uint8_t)code);
}

void il_write_u32(struct writer *w, enum opcode op, uint32_t operand)
{
    il_write(w, op);
    wr_u32(w, operand);
}

uint32_t il_write_branch(struct writer *w, enum opcode op)
{
    il_write_u32(w, op, 0);
    return (uint32_t)w->len - 4;
}

void il_land(struct writer *w, uint32_t at)
{
    if (!w->failed)
        store_u32(w->data + at, (uint32_t)w->len - (at + 4));
}

void il_write_variable(struct writer *w, enum opcode short_op, enum opcode long_op, uint32_t number)
{
    il_write(w, number <= 0xFF ? short_op : long_op);
    if (number <= 0xFF)
        wr_u8(w, (uint8_t)number);
    else
        wr_u16(w, (uint16_t)number);
}

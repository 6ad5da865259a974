#include "tests/fuzz/il_script.h"

#include "rewriter/stack.h"

enum {
    SWITCH_MAX = 6,
    MAX_STACK = 40,
    LITERAL = 0x80, /* of a target: nothing is repaired before its instruction */
    FAT = 0x10,
    INIT_LOCALS = 0x20,
    SMALL_CLAUSES = 0x40,
    BODY_ROOM = 64 + SCRIPT_INSTRS_MAX * (10 + 4 * SWITCH_MAX + MAX_STACK)
};

struct item {
    uint8_t op, number;
    uint8_t targets[SWITCH_MAX];
    uint8_t target_count;
    bool literal;
    bool is_target;
    uint8_t starts; /* of a handler or filter: depth + 1 */
    uint8_t leaves; /* of a region that ends before the item: the opcode that leaves it */
    uint32_t offset;
};

struct fixup {
    uint32_t at, from;
    uint8_t target;
    bool is_short;
};

struct script {
    const struct il_context *context;
    uint32_t method_rid;
    struct item items[SCRIPT_INSTRS_MAX + 1]; /* and the final `ret` */
    uint32_t count;
    struct eh_clause clauses[SCRIPT_CLAUSES_MAX]; /* places, not offsets */
    uint32_t clause_count;
    struct fixup fixups[2 * SCRIPT_INSTRS_MAX + SCRIPT_INSTRS_MAX * SWITCH_MAX];
    uint32_t fixup_count;
    uint32_t depth;
    bool dead; /* control does not come here by running on */
    bool returns;
    struct writer w;
};

/* --- reading ---------------------------------------------------------------------------------- */

static void read_item(struct item *item, struct reader *r)
{
    *item = (struct item){.op = (uint8_t)(rd_u8(r) % OP_COUNT)};
    switch ((enum operand_kind)opcode_info[item->op].operand) {
    case OPERAND_NONE:
        break;
    case OPERAND_SWITCH:
        item->target_count = (uint8_t)(rd_u8(r) % (SWITCH_MAX + 1));
        for (uint32_t i = 0; i < item->target_count; i++)
            item->targets[i] = rd_u8(r);
        break;
    case OPERAND_TARGET8:
    case OPERAND_TARGET32:
        item->target_count = 1;
        item->targets[0] = rd_u8(r);
        break;
    case OPERAND_VAR8:
    case OPERAND_VAR16:
    case OPERAND_I8:
    case OPERAND_I32:
    case OPERAND_I64:
    case OPERAND_R32:
    case OPERAND_R64:
    case OPERAND_TOKEN:
        item->number = rd_u8(r);
        break;
    }
}

static void resolve_places(struct script *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct item *item = &s->items[i];
        for (uint32_t n = 0; n < item->target_count; n++) {
            item->literal |= (item->targets[n] & LITERAL) != 0;
            item->targets[n] = (uint8_t)((item->targets[n] & ~(unsigned)LITERAL) % (s->count + 1));
            s->items[item->targets[n]].is_target = true;
        }
    }
}

static void sort4(uint8_t places[4])
{
    for (unsigned i = 1; i < 4; i++)
        for (unsigned k = i; k != 0 && places[k - 1] > places[k]; k--) {
            uint8_t swap = places[k];
            places[k] = places[k - 1];
            places[k - 1] = swap;
        }
}

static void place_clause(struct script *s, uint8_t kind, const uint8_t at[4])
{
    static const uint32_t kinds[] = {EH_CATCH, EH_FINALLY, EH_FILTER, EH_FAULT};
    uint32_t flags = kinds[kind % ARRAY_LEN(kinds)];
    uint8_t handler = flags == EH_FILTER ? at[2] : at[1];
    if (at[0] == at[1] || handler == at[3] || (flags == EH_FILTER && at[1] == at[2]))
        return;
    s->clauses[s->clause_count++] = (struct eh_clause){
        .flags = flags,
        .try_offset = at[0],
        .try_length = at[1],
        .handler_offset = handler,
        .handler_length = at[3],
        .filter_offset = flags == EH_FILTER ? at[1] : 0,
    };
    bool gets_exception = flags == EH_CATCH || flags == EH_FILTER;
    s->items[at[1]].leaves = OP_LEAVE;
    s->items[at[1]].starts = gets_exception ? 2 : 1;
    if (flags == EH_FILTER) {
        s->items[at[2]].leaves = OP_ENDFILTER;
        s->items[at[2]].starts = 2;
    }
    s->items[at[3]].leaves = gets_exception ? OP_LEAVE : OP_ENDFINALLY;
}

static void read_script(struct script *s, struct reader *r)
{
    uint8_t kinds[SCRIPT_CLAUSES_MAX], places[SCRIPT_CLAUSES_MAX][4];
    uint32_t clause_count = rd_u8(r) % (SCRIPT_CLAUSES_MAX + 1);
    for (uint32_t i = 0; i < clause_count; i++) {
        kinds[i] = rd_u8(r);
        for (unsigned n = 0; n < 4; n++)
            places[i][n] = rd_u8(r);
    }
    while (rd_left(r) != 0 && s->count < SCRIPT_INSTRS_MAX)
        read_item(&s->items[s->count++], r);
    s->items[s->count] = (struct item){.op = OP_RET};
    resolve_places(s);
    for (uint32_t i = 0; i < clause_count; i++) {
        for (unsigned n = 0; n < 4; n++)
            places[i][n] = (uint8_t)(places[i][n] % (s->count + 1));
        sort4(places[i]);
        place_clause(s, kinds[i], places[i]);
    }
}

/* --- what an instruction takes and gives ------------------------------------------------------ */

static uint32_t token_of(const struct script *s, const struct item *item)
{
    const struct il_context *c = s->context;
    switch (item->op) {
    case OP_CALL:
    case OP_CALLVIRT:
    case OP_NEWOBJ:
    case OP_JMP:
    case OP_LDFTN:
    case OP_LDVIRTFTN:
        return c->calls[item->number % c->call_count];
    case OP_CALLI:
        return c->signatures[item->number % c->signature_count];
    case OP_LDFLD:
    case OP_LDFLDA:
    case OP_STFLD:
    case OP_LDSFLD:
    case OP_LDSFLDA:
    case OP_STSFLD:
        return c->fields[item->number % c->field_count];
    case OP_LDSTR:
        return 0x70000001;
    default:
        return TOKEN(TABLE_TypeRef, 1);
    }
}

static uint32_t pops_of(const struct script *s, const struct item *item, uint32_t *pushes)
{
    const struct opcode_info *info = &opcode_info[item->op];
    struct method_sig sig;
    *pushes = info->pushes != STACK_VARIES ? info->pushes : 0;
    if (info->pops != STACK_VARIES && info->pushes != STACK_VARIES)
        return info->pops;
    if (item->op == OP_RET)
        return s->returns;
    if (info->operand != OPERAND_TOKEN || item->op == OP_JMP)
        return 0;
    if (!sig_method(&sig, sig_of_call(&s->context->md, token_of(s, item)), NULL))
        return 0;
    bool has_this = (sig.flags & SIG_HAS_THIS) != 0;
    if (item->op == OP_NEWOBJ)
        *pushes = 1;
    else
        *pushes = sig_first_element(sig.return_type) != ELEMENT_VOID;
    return sig.param_count + (has_this && item->op != OP_NEWOBJ) + (item->op == OP_CALLI);
}

/* --- writing ---------------------------------------------------------------------------------- */

static void emit_op(struct script *s, uint8_t op)
{
    if (opcode_info[op].code > 0xFF)
        wr_u8(&s->w, 0xFE);
    wr_u8(&s->w, (uint8_t)opcode_info[op].code);
}

static void set_depth(struct script *s, uint32_t depth)
{
    for (; s->depth > depth; s->depth--)
        emit_op(s, OP_POP);
    for (; s->depth < depth; s->depth++)
        emit_op(s, (s->depth & 1) != 0 ? OP_LDC_I4_1 : OP_LDARG_0);
}

static void emit_distance(struct script *s, uint8_t target, bool is_short, uint32_t from)
{
    s->fixups[s->fixup_count++] = (struct fixup){(uint32_t)s->w.len, from, target, is_short};
    if (is_short)
        wr_u8(&s->w, 0);
    else
        wr_u32(&s->w, 0);
}

static void emit_leave(struct script *s, uint8_t op)
{
    if (op == OP_ENDFILTER)
        set_depth(s, 1);
    emit_op(s, op);
    if (op == OP_LEAVE)
        emit_distance(s, (uint8_t)s->count, false, (uint32_t)s->w.len + 4);
    s->depth = 0;
    s->dead = true;
}

static void emit_operand(struct script *s, const struct item *item)
{
    uint32_t at = (uint32_t)s->w.len;
    switch ((enum operand_kind)opcode_info[item->op].operand) {
    case OPERAND_NONE:
        break;
    case OPERAND_VAR8:
    case OPERAND_I8:
        wr_u8(&s->w, item->number);
        break;
    case OPERAND_VAR16:
        wr_u16(&s->w, item->number);
        break;
    case OPERAND_I32:
    case OPERAND_R32:
        wr_u32(&s->w, item->number);
        break;
    case OPERAND_I64:
    case OPERAND_R64:
        wr_u64(&s->w, item->number);
        break;
    case OPERAND_TOKEN:
        wr_u32(&s->w, token_of(s, item));
        break;
    case OPERAND_TARGET8:
        emit_distance(s, item->targets[0], true, at + 1);
        break;
    case OPERAND_TARGET32:
        emit_distance(s, item->targets[0], false, at + 4);
        break;
    case OPERAND_SWITCH:
        wr_u32(&s->w, item->target_count);
        for (uint32_t i = 0; i < item->target_count; i++)
            emit_distance(s, item->targets[i], false, at + 4 + 4u * item->target_count);
        break;
    }
}

/* What control has to look like where the item begins. */
static void arrive(struct script *s, struct item *item, bool joined)
{
    if (item->leaves != 0 && !s->dead)
        emit_leave(s, item->leaves);
    if (s->dead)
        s->depth = 0;
    if (item->is_target && !item->literal && !joined)
        set_depth(s, 0);
    if (item->starts != 0)
        s->depth = item->starts - 1u;
    item->offset = (uint32_t)s->w.len;
    s->dead = false;
}

static void emit_item(struct script *s, struct item *item, bool after_prefix)
{
    uint32_t pushes = 0, pops = pops_of(s, item, &pushes);
    uint8_t flow = opcode_info[item->op].flow;
    bool exact = flow == FLOW_RETURN || flow == FLOW_ENDFILTER || flow == FLOW_JMP ||
                 item->target_count != 0;
    arrive(s, item, after_prefix);
    if (!item->literal && !after_prefix) {
        if (s->depth < pops || (exact && flow != FLOW_LEAVE))
            set_depth(s, pops);
        if (s->depth + pushes > MAX_STACK)
            set_depth(s, pops);
    }
    emit_op(s, item->op);
    emit_operand(s, item);
    s->depth = (s->depth > pops ? s->depth - pops : 0) + pushes;
    s->dead =
        flow != FLOW_NEXT && flow != FLOW_CONDITION && flow != FLOW_SWITCH && flow != FLOW_PREFIX;
}

static bool fits(const struct script *s, const struct fixup *fixup)
{
    int32_t distance = (int32_t)(s->items[fixup->target].offset - fixup->from);
    return !fixup->is_short || (distance >= INT8_MIN && distance <= INT8_MAX);
}

static void resolve(struct script *s, uint8_t *code)
{
    for (uint32_t i = 0; i < s->fixup_count; i++) {
        const struct fixup *fixup = &s->fixups[i];
        uint32_t distance = s->items[fixup->target].offset - fixup->from;
        if (!fixup->is_short)
            store_u32(code + fixup->at, distance);
        else
            code[fixup->at] = fits(s, fixup) ? (uint8_t)distance : 0;
    }
}

/* The items from the first to the final `ret`. */
static void emit_code(struct script *s)
{
    bool after_prefix = false;
    for (uint32_t i = 0; i <= s->count; i++) {
        emit_item(s, &s->items[i], after_prefix);
        after_prefix = opcode_info[s->items[i].op].flow == FLOW_PREFIX;
    }
}

static void write_small_clause(struct writer *w, const struct eh_clause *clause, uint32_t last)
{
    wr_u16(w, (uint16_t)clause->flags);
    wr_u16(w, (uint16_t)clause->try_offset);
    wr_u8(w, (uint8_t)clause->try_length);
    wr_u16(w, (uint16_t)clause->handler_offset);
    wr_u8(w, (uint8_t)clause->handler_length);
    wr_u32(w, last);
}

static void move_clauses(struct script *s)
{
    for (uint32_t i = 0; i < s->clause_count; i++) {
        struct eh_clause *c = &s->clauses[i];
        c->try_length = s->items[c->try_length].offset - s->items[c->try_offset].offset;
        c->try_offset = s->items[c->try_offset].offset;
        c->handler_length = s->items[c->handler_length].offset - s->items[c->handler_offset].offset;
        c->handler_offset = s->items[c->handler_offset].offset;
        if (c->flags == EH_FILTER)
            c->filter_offset = s->items[c->filter_offset].offset;
    }
}

static struct view finish(struct script *s, uint8_t shape, struct arena *arena)
{
    struct il_body body = {
        .max_stack = MAX_STACK + 8,
        .init_locals = (shape & INIT_LOCALS) != 0,
        .local_sig = s->context->locals[(shape & 0xF) % s->context->local_count],
        .clauses = s->clauses,
        .clause_count = s->clause_count,
    };
    uint32_t size = (uint32_t)s->w.len;
    struct writer w = wr_in(arena);
    resolve(s, s->w.data);
    move_clauses(s);
    if ((shape & FAT) == 0 && s->clause_count == 0 && size < 64) {
        wr_u8(&w, (uint8_t)(size << 2 | 2));
        wr_bytes(&w, s->w.data, size);
    } else if ((shape & SMALL_CLAUSES) != 0 && s->clause_count != 0) {
        wr_u16(&w, (uint16_t)(0x300B | (body.init_locals ? 0x10 : 0)));
        wr_u16(&w, body.max_stack);
        wr_u32(&w, size);
        wr_u32(&w, body.local_sig);
        wr_bytes(&w, s->w.data, size);
        wr_align(&w, 4);
        wr_u32(&w, 1u | (4 + 12 * s->clause_count) << 8);
        for (uint32_t i = 0; i < s->clause_count; i++)
            write_small_clause(&w, &s->clauses[i], s->clauses[i].filter_offset);
    } else {
        body_write(&w, &body, s->w.data, size);
    }
    return w.failed ? (struct view){NULL, 0} : (struct view){w.data, w.len};
}

struct view il_script_body(struct view script, const struct il_context *context,
                           uint32_t method_rid, struct arena *arena)
{
    static uint8_t code[BODY_ROOM];
    static struct script s;
    struct reader r = rd_view(script);
    struct method_sig sig;
    uint32_t blob = tables_get(&context->md.tables, COL_MethodDef_Signature, method_rid);
    s.context = context;
    s.method_rid = method_rid;
    s.count = s.clause_count = s.fixup_count = s.depth = 0;
    s.dead = false;
    s.returns = sig_method(&sig, heap_blob(&context->md, blob), NULL) &&
                sig_first_element(sig.return_type) != ELEMENT_VOID;
    uint8_t shape = rd_u8(&r);
    s.w = wr_over(code, sizeof code);
    read_script(&s, &r);
    emit_code(&s);
    return s.w.failed ? (struct view){NULL, 0} : finish(&s, shape, arena);
}

/* The new code, block by block:
 *
 *   entry sequence   only if the base is kept: base = table[address of the anchor >> 14]
 *                    It precedes everything: a clause that begins at 0 does not contain it, and
 *                    branches to offset 0 lead past it.
 *   L:               all branches and clause bounds that led to the block lead here
 *   block probe
 *   instructions     with branches in their long form
 *   value probe      dup; brtrue T; <false>; br N; T: <true>; N:
 *                    before the last jump or store, or at the end
 *
 * After a condition or switch, where edges have counters of their own:
 *
 *      bcc S         S is the stub of the taken edge
 *      <probe of the edge that runs on>
 *      br N          only if stubs follow
 *   S: <probe of the taken edge>; br target
 *   N:               the next block
 *
 * A stub is next to its source, and so in the same region: this is legal in try, handler and
 * filter, and with a non-empty stack. No condition is inverted (wrong for NaN and unsigned
 * operands), and no instruction is duplicated. */
#include "rewriter/rewrite.h"

#include <string.h>

enum {
    PROBE_LEN_MAX = 80,
    PROBE_STACK = 3, /* slots that a probe needs above the method's own */
    VALUE_STACK = 1,
};

#define END_OF_ALL UINT32_MAX /* as the target of a fixup: emitter.end */

struct fixup {
    uint32_t at;     /* place of the 4 distance bytes */
    uint32_t from;   /* place that distances count from */
    uint32_t target; /* instruction index */
    uint32_t edge;   /* go to this edge's stub, if it has one; or NO_INDEX */
};

struct body_emitter {
    const struct flow *flow;
    const struct plan *plan;
    const struct probe_form *form;
    struct writer w;
    uint32_t *label;   /* place of each instruction, or of the block probe before it; count + 1 */
    uint32_t *stub;    /* place of each edge's stub */
    uint32_t *edge_to; /* of the current switch: the edge to each instruction it jumps to */
    struct il_map *map;
    struct fixup *fixups;
    uint32_t fixup_count;
    uint32_t try_start, end; /* enclosed: where the protected code begins, and what follows all */
    struct eh_clause starts; /* likewise, if it starts the managed half */
};

static void emit_op(struct body_emitter *e, enum opcode op)
{
    il_write(&e->w, op);
}

static void emit_i8(struct body_emitter *e, uint64_t value)
{
    emit_op(e, OP_LDC_I8);
    wr_u64(&e->w, value);
}

/* In code that is not optimised all constants are ldc.i8, even masks and ones: next to a native
 * int, the JIT folds an ldc.i8 into the addressing of one instruction. An ldc.i4 adds a cdqe and
 * prevents that. Optimised code is the same either way, so it gets the short form: its bodies are
 * smaller, and how large a body is decides whether the JIT inlines it. */
static bool is_short(const struct body_emitter *e, uint64_t value)
{
    return e->flow->context.md->optimised && value <= INT32_MAX;
}

/* A constant beside a native int. */
static void emit_native(struct body_emitter *e, uint64_t value)
{
    if (!is_short(e, value)) {
        emit_i8(e, value);
        return;
    }
    il_write_u32(&e->w, OP_LDC_I4, (uint32_t)value);
}

/* A constant that is an address. */
static void emit_pointer(struct body_emitter *e, uint64_t value)
{
    emit_native(e, value);
    if (is_short(e, value))
        emit_op(e, OP_CONV_U);
}

/* 1, beside an int64. */
static void emit_one(struct body_emitter *e)
{
    if (!is_short(e, 1)) {
        emit_i8(e, 1);
        return;
    }
    emit_op(e, OP_LDC_I4_1);
    emit_op(e, OP_CONV_I8);
}

static void load_anchor_address(struct body_emitter *e)
{
    const struct anchor *anchor = &e->form->anchor;
    if (anchor->kind == ANCHOR_ARGUMENT)
        il_write_variable(&e->w, OP_LDARGA_S, OP_LDARGA, anchor->variable);
    else
        il_write_variable(&e->w, OP_LDLOCA_S, OP_LDLOCA, anchor->variable);
}

/* Adds a 0 from memory to an address. The JIT does not know that it is the same after a call.
 * Without it, optimised code keeps what it computes from the address of a variable, even while it
 * awaits (flow_is_async). */
static void emit_zero(struct body_emitter *e)
{
    emit_pointer(e, e->form->shard_table - (1 << REWRITE_ENTRY_BITS)); /* sp, &0 */
    emit_op(e, OP_LDIND_I);                                            /* sp, 0 */
    emit_op(e, OP_ADD);                                                /* sp */
}

/* Pushes the base. Only the number of bits of a shift is an int32 (III.1.5). The shift to the left
 * goes into the addressing, too: lea; shr; mov base, [8 * chunk + table]. */
static void emit_lookup(struct body_emitter *e)
{
    load_anchor_address(e); /* &anchor */
    emit_op(e, OP_CONV_U);  /* sp, near enough */
    if (flow_is_async(e->flow) && e->flow->context.md->optimised)
        emit_zero(e);
    emit_op(e, OP_LDC_I4_S); /* sp, 14 */
    wr_u8(&e->w, REWRITE_CHUNK_BITS);
    emit_op(e, OP_SHR_UN); /* chunk */
    if (e->form->shard_chunks != 0) {
        emit_native(e, e->form->shard_chunks); /* chunk, mask */
        emit_op(e, OP_AND);                    /* chunk */
    }
    emit_op(e, OP_LDC_I4_3);              /* chunk, REWRITE_ENTRY_BITS */
    emit_op(e, OP_SHL);                   /* offset */
    emit_native(e, e->form->shard_table); /* offset, table */
    emit_op(e, OP_ADD);                   /* entry */
    emit_op(e, OP_LDIND_I);               /* base */
}

static bool keeps_base(const struct body_emitter *e)
{
    return probe_form_shards(e->form) && e->form->anchor.base_local != NO_INDEX;
}

static void emit_entry(struct body_emitter *e)
{
    emit_lookup(e);
    il_write_variable(&e->w, OP_STLOC_S, OP_STLOC, e->form->anchor.base_local);
}

static void emit_address(struct body_emitter *e, uint32_t counter)
{
    uint64_t address = e->form->counters + (uint64_t)counter * mode_counter_size(e->form->mode);
    if (!probe_form_shards(e->form)) {
        emit_pointer(e, address);
        return;
    }
    if (keeps_base(e))
        il_write_variable(&e->w, OP_LDLOC_S, OP_LDLOC, e->form->anchor.base_local);
    else
        emit_lookup(e);
    emit_native(e, address); /* base, address */
    emit_op(e, OP_ADD);      /* address */
}

/* Pushes the address on the stack once more. In code that is not optimised `dup` takes a local of
 * its own, which costs more than to look up the address again. */
static void repeat_address(struct body_emitter *e, uint32_t counter)
{
    if (probe_form_shards(e->form) && !keeps_base(e) && e->flow->context.md->optimised)
        emit_op(e, OP_DUP);
    else
        emit_address(e, counter);
}

static uint32_t get_place(const struct body_emitter *e)
{
    return (uint32_t)e->w.len;
}

static void emit_probe(struct body_emitter *e, uint32_t counter)
{
    if (counter == NO_INDEX)
        return;
    uint32_t written = 0;
    emit_address(e, counter); /* address */
    if (e->form->calls || e->form->mode == MODE_EXACT) {
        emit_i8(e, e->form->function); /* address, function */
        il_write_u32(&e->w, OP_CALLI, e->form->function_sig);
        return;
    }
    switch (e->form->mode) {
    case MODE_COUNT:
        repeat_address(e, counter); /* address, address */
        emit_op(e, OP_LDIND_I8);    /* address, count */
        emit_one(e);                /* address, count, 1 */
        emit_op(e, OP_ADD);         /* address, count + 1 */
        emit_op(e, OP_STIND_I8);
        break;
    case MODE_HIT:
        if (e->form->looks_first) {
            emit_op(e, OP_LDIND_U1); /* hit */
            written = il_write_branch(&e->w, OP_BRTRUE);
            emit_address(e, counter); /* address */
        }
        emit_op(e, OP_LDC_I4_1); /* address, 1 */
        emit_op(e, OP_STIND_I1);
        if (e->form->looks_first)
            il_land(&e->w, written);
        break;
    case MODE_EXACT:
        break;
    }
}

static void add_fixup(struct body_emitter *e, uint32_t at, uint32_t from, uint32_t target,
                      uint32_t edge)
{
    e->fixups[e->fixup_count++] = (struct fixup){at, from, target, edge};
}

static void emit_value_probe(struct body_emitter *e, uint32_t first_counter)
{
    emit_op(e, OP_DUP);
    uint32_t to_true = il_write_branch(&e->w, OP_BRTRUE);
    emit_probe(e, first_counter);
    uint32_t to_next = il_write_branch(&e->w, OP_BR);
    il_land(&e->w, to_true);
    emit_probe(e, first_counter + 1);
    il_land(&e->w, to_next);
}

/* --- the test hook ---------------------------------------------------------------------------- */

static void emit_enter(struct body_emitter *e, const struct test_hook *test_hook)
{
    if (test_hook->starts)
        test_hook_write_start(&e->w, &e->starts, test_hook);
    test_hook_write_enter(&e->w, test_hook);
    e->try_start = get_place(e);
}

/* In place of a `ret`. */
static void emit_return(struct body_emitter *e, const struct test_hook *test_hook)
{
    test_hook_write_return(&e->w, test_hook);
    uint32_t at = il_write_branch(&e->w, OP_LEAVE);
    add_fixup(e, at, at + 4, END_OF_ALL, NO_INDEX);
}

static void emit_leave(struct body_emitter *e, const struct test_hook *test_hook)
{
    test_hook_write_leave(&e->w, test_hook);
    e->end = get_place(e);
    test_hook_write_end(&e->w, test_hook);
}

bool rewrite_can_enclose(const struct flow *flow)
{
    for (uint32_t i = 0; i < flow->il.count; i++)
        if (flow->il.instrs[i].op == OP_JMP)
            return false;
    return true;
}

/* --- instructions ----------------------------------------------------------------------------- */

static enum opcode choose_long_form(uint8_t op)
{
    if (op >= OP_BR_S && op <= OP_BLT_UN_S)
        return (enum opcode)(op - OP_BR_S + OP_BR);
    return op == OP_LEAVE_S ? OP_LEAVE : (enum opcode)op;
}

static void copy_instr(struct body_emitter *e, const struct instr *instr)
{
    wr_bytes(&e->w, e->flow->il.code + instr->offset, instr->len);
}

static uint32_t edge_of_branch(const struct body_emitter *e, const struct block *block,
                               uint32_t target)
{
    if (block->edge_count == 0) /* unreachable */
        return NO_INDEX;
    return flow_taken_edge(e->flow, (uint32_t)(block - e->flow->blocks), target);
}

static void copy_switch(struct body_emitter *e, const struct block *block,
                        const struct instr *instr)
{
    const uint32_t *targets = &e->flow->il.targets[instr->operand];
    uint32_t from = get_place(e) + instr->len;
    copy_instr(e, instr);
    for (uint32_t n = block->first_edge; n < block->first_edge + block->edge_count; n++)
        if (e->flow->edges[n].taken)
            e->edge_to[e->flow->blocks[e->flow->edges[n].to].first] = n;
    for (uint32_t n = 0; n < targets[0]; n++)
        add_fixup(e, from - 4 * (targets[0] - n), from, targets[1 + n],
                  block->reachable ? e->edge_to[targets[1 + n]] : NO_INDEX);
}

static void copy_branch(struct body_emitter *e, const struct block *block,
                        const struct instr *instr)
{
    uint32_t at = il_write_branch(&e->w, choose_long_form(instr->op));
    add_fixup(e, at, at + 4, instr->operand, edge_of_branch(e, block, instr->operand));
}

/* What comes between a condition or switch and the next block. */
static void emit_edges(struct body_emitter *e, const struct block *block)
{
    uint32_t stubs = 0;
    for (uint32_t n = block->first_edge; n < block->first_edge + block->edge_count; n++) {
        if (!e->flow->edges[n].taken)
            emit_probe(e, e->plan->edge_counter[n]);
        else
            stubs += e->plan->edge_counter[n] != NO_INDEX;
    }
    if (stubs == 0)
        return;
    uint32_t to_next = il_write_branch(&e->w, OP_BR);
    for (uint32_t n = block->first_edge; n < block->first_edge + block->edge_count; n++) {
        const struct edge *edge = &e->flow->edges[n];
        if (!edge->taken || e->plan->edge_counter[n] == NO_INDEX)
            continue;
        e->stub[n] = get_place(e);
        emit_probe(e, e->plan->edge_counter[n]);
        uint32_t at = il_write_branch(&e->w, OP_BR);
        add_fixup(e, at, at + 4, e->flow->blocks[edge->to].first, NO_INDEX);
    }
    il_land(&e->w, to_next);
}

/* What must precede the jump that ends a block. */
static void emit_before_exit(struct body_emitter *e, const struct block *block,
                             uint32_t value_counter)
{
    if (value_counter != NO_INDEX && block->bool_store == NO_INDEX)
        emit_value_probe(e, value_counter);
    if (block->edge_count == 1 && block->exit != FLOW_CONDITION && block->exit != FLOW_SWITCH)
        emit_probe(e, e->plan->edge_counter[block->first_edge]);
}

static void emit_block(struct body_emitter *e, uint32_t n)
{
    const struct block *block = &e->flow->blocks[n];
    bool jumps = block->exit != FLOW_NEXT;
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct instr *instr = &e->flow->il.instrs[i];
        e->label[i] = get_place(e);
        if (i == block->first)
            emit_probe(e, e->plan->block_counter[n]);
        if (jumps && i == block->end - 1)
            emit_before_exit(e, block, e->plan->value_counter[n]);
        if (i == block->bool_store && e->plan->value_counter[n] != NO_INDEX)
            emit_value_probe(e, e->plan->value_counter[n]);
        e->map[i] = (struct il_map){instr->offset, e->label[i], get_place(e)};
        uint8_t operand = il_info(instr)->operand;
        if (e->form->test_hook != NULL && instr->op == OP_RET)
            emit_return(e, e->form->test_hook);
        else if (e->form->test_hook != NULL && instr->op == OP_TAIL)
            continue; /* there is no tail call out of protected code */
        else if (operand == OPERAND_SWITCH)
            copy_switch(e, block, instr);
        else if (operand == OPERAND_TARGET8 || operand == OPERAND_TARGET32)
            copy_branch(e, block, instr);
        else
            copy_instr(e, instr);
    }
    if (!jumps)
        emit_before_exit(e, block, e->plan->value_counter[n]);
    if (block->exit == FLOW_CONDITION || block->exit == FLOW_SWITCH)
        emit_edges(e, block);
}

static void resolve_fixups(struct body_emitter *e)
{
    for (uint32_t n = 0; n < e->fixup_count; n++) {
        const struct fixup *fixup = &e->fixups[n];
        bool by_stub = fixup->edge != NO_INDEX && e->plan->edge_counter[fixup->edge] != NO_INDEX &&
                       e->stub[fixup->edge] != 0; /* a stub is never at 0 */
        uint32_t place = by_stub                       ? e->stub[fixup->edge]
                         : fixup->target == END_OF_ALL ? e->end
                                                       : e->label[fixup->target];
        store_u32(e->w.data + fixup->at, place - fixup->from);
    }
}

static uint32_t new_offset(const struct body_emitter *e, uint32_t old_offset)
{
    return e->label[e->flow->il.index_at[old_offset]];
}

static bool move_clauses(struct il_body *body, const struct body_emitter *e, struct arena *arena)
{
    const struct il_body *old = &e->flow->body;
    body->clauses = arena_raw(arena, (size_t)old->clause_count + 2, sizeof *body->clauses, NULL);
    if (body->clauses == NULL)
        return false;
    for (uint32_t i = 0; i < old->clause_count; i++) {
        const struct eh_clause *from = &old->clauses[i];
        struct eh_clause *to = &body->clauses[i];
        *to = *from;
        to->try_offset = new_offset(e, from->try_offset);
        to->try_length = new_offset(e, from->try_offset + from->try_length) - to->try_offset;
        to->handler_offset = new_offset(e, from->handler_offset);
        to->handler_length =
            new_offset(e, from->handler_offset + from->handler_length) - to->handler_offset;
        if (from->flags == EH_FILTER)
            to->filter_offset = new_offset(e, from->filter_offset);
    }
    if (e->form->test_hook != NULL) {
        uint32_t handler = e->label[e->flow->il.count];
        if (e->form->test_hook->starts)
            body->clauses[body->clause_count++] = e->starts;
        body->clauses[body->clause_count++] =
            (struct eh_clause){.flags = EH_FINALLY,
                               .try_offset = e->try_start,
                               .try_length = handler - e->try_start,
                               .handler_offset = handler,
                               .handler_length = e->end - handler};
    }
    return true;
}

static bool alloc_emitter(struct body_emitter *e, struct arena *arena)
{
    const struct flow *flow = e->flow;
    size_t fixups =
        (size_t)flow->il.target_count + 2 * (size_t)flow->block_count + flow->edge_count;
    size_t probes = e->plan->counter_count;
    e->w = wr_in(arena);
    e->label = arena_raw(arena, (size_t)flow->il.count + 1, sizeof *e->label, NULL);
    e->stub = ARENA_NEW(arena, uint32_t, flow->edge_count, NULL);
    e->edge_to = arena_raw(arena, flow->il.count, sizeof *e->edge_to, NULL);
    e->map = arena_raw(arena, flow->il.count, sizeof *e->map, NULL);
    e->fixups = arena_raw(arena, fixups, sizeof *e->fixups, NULL);
    if (e->label == NULL || e->stub == NULL || e->edge_to == NULL || e->map == NULL ||
        e->fixups == NULL)
        return false;
    /* Room for what is likely, so that the writer rarely grows. */
    if (wr_space(&e->w, PROBE_LEN_MAX * (probes + 1) + 2 * (size_t)flow->il.code_size) == NULL)
        return false;
    e->w.len = 0;
    return true;
}

bool rewrite_should_look_first(const struct flow *flow, const struct plan *plan)
{
    return !flow->context.md->optimised ||
           (flow->block_count == 1 && plan->counter_count == 1 &&
            plan->block_counter[0] != NO_INDEX && !flow_calls(flow));
}

static uint16_t grown_stack(const struct body_emitter *e)
{
    uint32_t max_stack = (uint32_t)e->flow->body.max_stack + PROBE_STACK + VALUE_STACK;
    if (e->form->test_hook != NULL)
        max_stack += TEST_HOOK_STACK - PROBE_STACK - VALUE_STACK;
    return max_stack < UINT16_MAX ? (uint16_t)max_stack : UINT16_MAX;
}

enum verdict rewrite(struct rewritten *out, const struct flow *flow, const struct plan *plan,
                     const struct probe_form *form, struct arena *body_arena, struct arena *arena)
{
    struct body_emitter e = {.flow = flow, .plan = plan, .form = form};
    if (!alloc_emitter(&e, arena))
        return VERDICT_DECLINED_MEMORY;
    if (form->test_hook != NULL)
        emit_enter(&e, form->test_hook);
    if (keeps_base(&e) && plan->counter_count != 0)
        emit_entry(&e);
    for (uint32_t n = 0; n < flow->block_count; n++)
        emit_block(&e, n);
    e.label[flow->il.count] = get_place(&e);
    if (form->test_hook != NULL)
        emit_leave(&e, form->test_hook);
    if (e.w.failed)
        return VERDICT_DECLINED_MEMORY;
    if (e.w.len > BODY_CODE_MAX)
        return VERDICT_DECLINED_TOO_LARGE;
    resolve_fixups(&e);

    struct il_body body = flow->body;
    body.max_stack = grown_stack(&e);
    if (probe_form_shards(form))
        body.local_sig = form->anchor.local_sig;
    /* A tiny header has no InitLocals and gets none: nothing reads the added locals before they are
     * written. */
    if (!move_clauses(&body, &e, arena))
        return VERDICT_DECLINED_MEMORY;
    size_t len = body_written_len(&body, (uint32_t)e.w.len);
    uint8_t *bytes = arena_raw(body_arena, len, 1, NULL);
    if (bytes == NULL)
        return VERDICT_DECLINED_MEMORY;
    struct writer w = wr_over(bytes, len);
    body_write(&w, &body, e.w.data, (uint32_t)e.w.len);
    *out = (struct rewritten){.body = {bytes, w.len}, .map = e.map, .map_count = flow->il.count};
    return w.failed ? VERDICT_DECLINED_MEMORY : VERDICT_OK;
}

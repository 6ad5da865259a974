/* test_enclosed_body.c - two calls around a body: whichever way control leaves it, the second one
 * comes after the first, and what was in the body stays there in its order. */
#include "rewriter/rewrite.h"

#include "tests/support/check.h"
#include "tests/support/il_builder.h"

enum {
    NUMBER = 0x01020304,
    RETURNED = 2,
    FUNCTION_SIG = 0x117FFFFD,
};

#define COUNTERS       UINT64_C(0x11223344)
#define TABLE          UINT64_C(0x7800000)
#define FUNCTION       UINT64_C(0x5566778899AA)
#define ENTER_FUNCTION UINT64_C(0x102030405060)
#define LEAVE_FUNCTION UINT64_C(0x708090A0B0C0)

static const uint8_t int32_type[] = {ELEMENT_I4}, object_type[] = {ELEMENT_OBJECT};

struct world {
    struct il_method m;
    struct enclosure enclosure;
    struct probe_form form;
    bool is_sharded;
    struct rewritten out;
    struct il_body body; /* the new one */
    struct il il;
};

/* --- making ----------------------------------------------------------------------------------- */

static uint32_t member(struct il_builder *b, struct view signature)
{
    enum {
        OF_TYPE_REF_1 = 1 << 3 | 1
    };
    return TOKEN(TABLE_MemberRef,
                 IMAGE_ROW(&b->image, MemberRef, OF_TYPE_REF_1, image_string(&b->image, "F"),
                           image_blob(&b->image, signature.data, signature.len)));
}

static uint32_t stand_alone(struct il_builder *b, struct view signature)
{
    return TOKEN(
        TABLE_StandAloneSig,
        IMAGE_ROW(&b->image, StandAloneSig, image_blob(&b->image, signature.data, signature.len)));
}

/* `own` locals of int32, then those of the enclosure. */
static uint32_t all_locals(struct world *w, uint32_t own)
{
    struct writer added, all;
    wr_open(&added, &w->m.arena);
    wr_open(&all, &w->m.arena);
    uint32_t count = own + rewrite_enclosure_locals(&added, &w->enclosure);
    assert_true(count < 0x80);
    wr_u8(&all, SIG_LOCALS);
    wr_u8(&all, (uint8_t)count);
    for (uint32_t i = 0; i < own; i++)
        wr_u8(&all, ELEMENT_I4);
    wr_bytes(&all, added.data, added.len);
    return stand_alone(&w->m.builder, (struct view){all.data, all.len});
}

enum {
    SHARDED = 1,
    OPTIMISED = 2,
    BY_FUNCTION = 4,
    GIVES_OBJECT = 8,
    WITHOUT_OBJECT = 16,
};

static void open_world(struct world *w, const char *signature, struct view result, unsigned how)
{
    struct il_builder *b = &w->m.builder;
    arena_init(&w->m.arena, NULL, 0, ARENA_NO_LIMIT);
    il_begin(b, signature);
    b->md.optimised = (how & OPTIMISED) != 0;
    w->enclosure = (struct enclosure){.number = NUMBER,
                                      .has_object = (how & WITHOUT_OBJECT) == 0,
                                      .gives_object = (how & GIVES_OBJECT) != 0,
                                      .returned = RETURNED,
                                      .result = result};
    if ((how & BY_FUNCTION) != 0) {
        w->enclosure.enter = stand_alone(b, BYTES_VIEW(0, 1, ELEMENT_I8, ELEMENT_I4));
        w->enclosure.leave = stand_alone(b, BYTES_VIEW(0, 1, ELEMENT_VOID, ELEMENT_I8));
        w->enclosure.enter_function = ENTER_FUNCTION;
        w->enclosure.leave_function = LEAVE_FUNCTION;
    } else {
        w->enclosure.enter = member(b, BYTES_VIEW(0, 2, ELEMENT_I8, ELEMENT_OBJECT, ELEMENT_I4));
        w->enclosure.leave =
            member(b, BYTES_VIEW(0, 3, ELEMENT_VOID, ELEMENT_I8, ELEMENT_I4, ELEMENT_OBJECT));
    }
    w->is_sharded = (how & SHARDED) != 0;
    w->form = (struct probe_form){.mode = MODE_HIT,
                                  .counters = COUNTERS,
                                  .shard_table = TABLE,
                                  .function_sig = FUNCTION_SIG,
                                  .function = FUNCTION,
                                  .enclosure = &w->enclosure};
}

static void rewrite_text(struct world *w, const char *text, uint32_t own_locals)
{
    struct il_method *m = &w->m;
    w->enclosure.local_sig = all_locals(w, own_locals);
    if (w->is_sharded)
        w->form.anchor = (struct anchor){ANCHOR_LOCAL, own_locals, NO_LOCAL, 0};
    m->body = il_assemble(&m->builder, text);
    assert_int_equal(flow_build(&m->flow, m->body, &m->builder.md, NULL, IL_METHOD_RID, &m->arena),
                     VERDICT_OK);
    assert_int_equal(m->flow.context.local_count, own_locals);
    assert_true(rewrite_can_enclose(&m->flow));
    assert_true(plan_make(&m->plan, &m->flow, &m->arena));
    assert_int_equal(rewrite(&w->out, &m->flow, &m->plan, &w->form, &m->arena, &m->arena),
                     VERDICT_OK);
    assert_int_equal(body_parse(&w->body, w->out.body, &m->arena), VERDICT_OK);
    assert_int_equal(il_decode(&w->il, &w->body, &m->arena), VERDICT_OK);
    assert_int_equal(w->out.map_count, m->flow.il.count);
}

static void close_world(struct world *w)
{
    il_method_close(&w->m);
}

/* --- what every enclosed body is -------------------------------------------------------------- */

static const struct eh_clause *added_clause(const struct world *w)
{
    assert_true(w->body.clause_count != 0);
    return &w->body.clauses[w->body.clause_count - 1];
}

/* The new instruction at an offset. */
static uint32_t index_at(const struct world *w, uint32_t offset)
{
    assert_true(offset < w->il.code_size);
    assert_int_not_equal(w->il.index_at[offset], IL_NO_INDEX);
    return w->il.index_at[offset];
}

static const struct instr *new_instr(const struct world *w, uint32_t old)
{
    return &w->il.instrs[index_at(w, w->out.map[old].new_offset)];
}

static uint32_t end_of_all(const struct world *w)
{
    const struct eh_clause *clause = added_clause(w);
    return index_at(w, clause->handler_offset + clause->handler_length);
}

/* Where what was at an old offset is now, with its probe; the old end is where the handler is. */
static uint32_t moved(const struct world *w, uint32_t old_offset)
{
    uint32_t old = w->m.flow.il.index_at[old_offset];
    assert_int_not_equal(old, IL_NO_INDEX);
    return old == w->m.flow.il.count ? added_clause(w)->handler_offset
                                     : w->out.map[old].probe_offset;
}

static void check_target(const struct world *w, uint32_t target, uint32_t old_target)
{
    uint32_t expected = w->out.map[old_target].probe_offset;
    for (uint32_t i = target; i < w->il.count; i++) {
        if (w->il.instrs[i].offset == expected)
            return;
        if (w->il.instrs[i].op == OP_BR) { /* the end of a stub */
            assert_int_equal(w->il.instrs[w->il.instrs[i].operand].offset, expected);
            return;
        }
        assert_int_equal(il_info(&w->il.instrs[i])->flow, FLOW_NEXT);
    }
    fail_msg("no way from %u to %u", w->il.instrs[target].offset, expected);
}

static void check_return(const struct world *w, uint32_t old)
{
    uint32_t i = index_at(w, w->out.map[old].new_offset);
    uint32_t previous = w->m.flow.context.local_count;
    int32_t value = 0;
    if (w->enclosure.result.len != 0)
        assert_int_equal(il_stored_local(&w->il.instrs[i++]), previous + 2);
    assert_true(il_constant(&value, &w->il.instrs[i++]));
    assert_int_equal(value, RETURNED);
    assert_int_equal(il_stored_local(&w->il.instrs[i++]), previous + 1);
    assert_int_equal(w->il.instrs[i].op, OP_LEAVE);
    assert_int_equal(w->il.instrs[i].operand, end_of_all(w));
}

static bool is_short_branch_of(const struct instr *was, const struct instr *is)
{
    return il_info(was)->operand == OPERAND_TARGET8 && il_info(is)->operand == OPERAND_TARGET32 &&
           strlen(il_info(was)->mnemonic) == strlen(il_info(is)->mnemonic) + strlen(".s") &&
           strncmp(il_info(was)->mnemonic, il_info(is)->mnemonic, strlen(il_info(is)->mnemonic)) ==
               0;
}

static void check_instruction(const struct world *w, uint32_t old)
{
    const struct il *il = &w->m.flow.il;
    const struct instr *was = &il->instrs[old];
    if (was->op == OP_TAIL)
        return;
    if (was->op == OP_RET) {
        check_return(w, old);
        return;
    }
    const struct instr *is = new_instr(w, old);
    uint8_t operand = il_info(was)->operand;
    assert_true(is->op == was->op || is_short_branch_of(was, is));
    if (operand == OPERAND_TARGET8 || operand == OPERAND_TARGET32) {
        check_target(w, is->operand, was->operand);
    } else if (operand == OPERAND_SWITCH) {
        const uint32_t *before = &il->targets[was->operand], *now = &w->il.targets[is->operand];
        assert_int_equal(now[0], before[0]);
        for (uint32_t i = 1; i <= before[0]; i++)
            check_target(w, now[i], before[i]);
    } else {
        assert_int_equal(is->len, was->len);
        assert_memory_equal(w->il.code + is->offset, il->code + was->offset, was->len);
    }
}

static void check_clauses(const struct world *w)
{
    const struct il_body *old = &w->m.flow.body;
    const struct eh_clause *added = added_clause(w);
    assert_int_equal(w->body.clause_count, old->clause_count + 1);
    for (uint32_t i = 0; i < old->clause_count; i++) {
        const struct eh_clause *was = &old->clauses[i], *is = &w->body.clauses[i];
        assert_int_equal(is->flags, was->flags);
        assert_int_equal(is->class_token, was->class_token);
        assert_int_equal(is->try_offset, moved(w, was->try_offset));
        assert_int_equal(is->try_offset + is->try_length,
                         moved(w, was->try_offset + was->try_length));
        assert_int_equal(is->handler_offset, moved(w, was->handler_offset));
        assert_int_equal(is->handler_offset + is->handler_length,
                         moved(w, was->handler_offset + was->handler_length));
        if (was->flags == EH_FILTER)
            assert_int_equal(is->filter_offset, moved(w, was->filter_offset));
        assert_true(is->try_offset >= added->try_offset);
        assert_true(is->handler_offset + is->handler_length <= added->handler_offset);
    }
    assert_int_equal(added->flags, EH_FINALLY);
    assert_int_equal(added->try_offset + added->try_length, added->handler_offset);
    assert_true(added->try_offset <= w->out.map[0].probe_offset);
    assert_int_equal(w->il.instrs[end_of_all(w) - 1].op, OP_ENDFINALLY);
}

/* Only the last instruction returns; it and the result before it are not protected. */
static void check_ends(const struct world *w)
{
    bool has_result = w->enclosure.result.len != 0;
    uint32_t last = w->il.count - 1;
    assert_int_equal(end_of_all(w), last - has_result);
    assert_int_equal(w->il.instrs[last].op, OP_RET);
    for (uint32_t i = 0; i < last; i++) {
        assert_int_not_equal(w->il.instrs[i].op, OP_RET);
        assert_int_not_equal(w->il.instrs[i].op, OP_TAIL);
    }
}

/* flow_build follows every way, and knows what each call takes and gives. */
static void check_stack(struct world *w)
{
    struct flow flow;
    assert_int_equal(
        flow_build(&flow, w->out.body, &w->m.builder.md, NULL, IL_METHOD_RID, &w->m.arena),
        VERDICT_OK);
    assert_int_equal(w->body.local_sig, w->enclosure.local_sig);
    assert_true(w->body.max_stack >= w->m.flow.body.max_stack + 3);
    for (uint32_t i = 0; i < flow.block_count; i++)
        assert_true(!flow.blocks[i].reachable || flow.blocks[i].depth <= flow.body.max_stack);
}

static void check_all(struct world *w)
{
    check_clauses(w);
    check_ends(w);
    check_stack(w);
    for (uint32_t i = 0; i < w->out.map_count; i++)
        check_instruction(w, i);
}

static uint32_t count_of(const struct il *il, enum opcode op)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < il->count; i++)
        count += il->instrs[i].op == op;
    return count;
}

#define NO_RESULT     ((struct view){NULL, 0})
#define INT32_RESULT  ((struct view){int32_type, sizeof int32_type})
#define OBJECT_RESULT ((struct view){object_type, sizeof object_type})

/* --- the bytes -------------------------------------------------------------------------------- */

static void check_code(const struct world *w, struct view expected)
{
    assert_int_equal(w->body.code_size, expected.len);
    assert_memory_equal(w->body.code, expected.data, expected.len);
}

/* ldarg.0; ldc.i4 number; call enter; stloc.s 0; ldc.i4.0; stloc.s 1;
 * try: ldc.i8 address; ldc.i4.1; stind.i1; ldc.i4.s 2; stloc.s 1; leave END;
 * finally: ldloc.s 0; ldloc.s 1; ldnull; call leave; endfinally; END: ret */
static void enclosure_of_nothing_is_these_bytes(void **state)
{
    static const uint8_t expected[] = {
        0x02, 0x20, 4,    3,    2,    1, 0x28, 1, 0,    0,    0x0A, 0x13, 0, 0x16, 0x13, 1,
        0x21, 0x44, 0x33, 0x22, 0x11, 0, 0,    0, 0,    0x17, 0x52, 0x1F, 2, 0x13, 1,    0xDD,
        11,   0,    0,    0,    0x11, 0, 0x11, 1, 0x14, 0x28, 2,    0,    0, 0x0A, 0xDC, 0x2A};
    struct world w;
    (void)state;
    open_world(&w, "this:void()", NO_RESULT, 0);
    rewrite_text(&w, "ret", 0);
    check_code(&w, VIEW(expected));
    const struct eh_clause *clause = added_clause(&w);
    assert_int_equal(w.body.clause_count, 1);
    assert_int_equal(clause->try_offset, 16);
    assert_int_equal(clause->try_length, 20);
    assert_int_equal(clause->handler_offset, 36);
    assert_int_equal(clause->handler_length, 11);
    check_all(&w);
    close_world(&w);
}

/* ldc.i4 number; ldc.i8 function; calli; stloc.s 0; ldc.i4.0; stloc.s 1; try: ldc.i8 address;
 * ldc.i4.1; stind.i1; ldc.i4.s 2; stloc.s 1; leave END;
 * finally: ldloc.s 0; ldc.i8 function; calli; endfinally; END: ret */
static void functions_are_called_by_their_address(void **state)
{
    static const uint8_t expected[] = {
        0x20, 4,    3,    2,    1, 0x21, 0x60, 0x50, 0x40, 0x30, 0x20, 0x10, 0,
        0,    0x29, 1,    0,    0, 0x11, 0x13, 0,    0x16, 0x13, 1,    0x21, 0x44,
        0x33, 0x22, 0x11, 0,    0, 0,    0,    0x17, 0x52, 0x1F, 2,    0x13, 1,
        0xDD, 17,   0,    0,    0, 0x11, 0,    0x21, 0xC0, 0xB0, 0xA0, 0x90, 0x80,
        0x70, 0,    0,    0x29, 2, 0,    0,    0x11, 0xDC, 0x2A};
    struct world w;
    (void)state;
    open_world(&w, "void()", NO_RESULT, BY_FUNCTION | WITHOUT_OBJECT);
    rewrite_text(&w, "ret", 0);
    check_code(&w, VIEW(expected));
    check_all(&w);
    close_world(&w);
}

/* --- who is called with what ------------------------------------------------------------------ */

static void method_without_an_object_enters_with_null(void **state)
{
    static const struct {
        unsigned how;
        enum opcode expected;
    } cases[] = {{0, OP_LDARG_0}, {WITHOUT_OBJECT, OP_LDNULL}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct world w;
        int32_t number = 0;
        open_world(&w, "this:void()", NO_RESULT, cases[i].how);
        rewrite_text(&w, "ret", 0);
        assert_int_equal(w.il.instrs[0].op, cases[i].expected);
        assert_true(il_constant(&number, &w.il.instrs[1]));
        assert_int_equal(number, NUMBER);
        assert_int_equal(w.il.instrs[2].op, OP_CALL);
        assert_int_equal(w.il.instrs[2].operand, w.enclosure.enter);
        close_world(&w);
    }
}

/* The handler: ldloc previous; ldloc returned; <third>; call; endfinally. */
static const struct instr *third_argument(const struct world *w)
{
    uint32_t i = index_at(w, added_clause(w)->handler_offset);
    assert_int_equal(il_loaded_local(&w->il.instrs[i]), 0);
    assert_int_equal(il_loaded_local(&w->il.instrs[i + 1]), 1);
    assert_int_equal(w->il.instrs[i + 3].op, OP_CALL);
    assert_int_equal(w->il.instrs[i + 3].operand, w->enclosure.leave);
    assert_int_equal(i + 5, end_of_all(w));
    return &w->il.instrs[i + 2];
}

static void object_that_is_returned_is_given_to_leave(void **state)
{
    struct world w;
    (void)state;
    open_world(&w, "this:object()", OBJECT_RESULT, GIVES_OBJECT);
    rewrite_text(&w, "ldarg.0; ret", 0);
    assert_int_equal(il_loaded_local(third_argument(&w)), 2);
    assert_int_equal(il_loaded_local(&w.il.instrs[end_of_all(&w)]), 2);
    check_all(&w);
    close_world(&w);
}

/* What throws leaves before it has a result: leave must not get what was there before. */
static void object_is_null_until_it_is_returned(void **state)
{
    struct world w;
    (void)state;
    open_world(&w, "this:object()", OBJECT_RESULT, GIVES_OBJECT);
    rewrite_text(&w, "ldarg.0; ret", 0);
    uint32_t start = index_at(&w, added_clause(&w)->try_offset);
    bool is_null = false;
    for (uint32_t i = 1; i < start; i++)
        is_null |= il_stored_local(&w.il.instrs[i]) == 2 && w.il.instrs[i - 1].op == OP_LDNULL;
    assert_true(is_null);
    close_world(&w);
}

static void value_that_is_no_object_is_not_given(void **state)
{
    struct world w;
    (void)state;
    open_world(&w, "this:int32()", INT32_RESULT, 0);
    rewrite_text(&w, "ldc.i4.7; ret", 0);
    assert_int_equal(third_argument(&w)->op, OP_LDNULL);
    assert_int_equal(il_loaded_local(&w.il.instrs[end_of_all(&w)]), 2);
    check_all(&w);
    close_world(&w);
}

static void function_gets_the_previous_one_alone(void **state)
{
    struct world w;
    (void)state;
    open_world(&w, "int32()", INT32_RESULT, BY_FUNCTION);
    rewrite_text(&w, "ldc.i4.7; ret", 0);
    uint32_t i = index_at(&w, added_clause(&w)->handler_offset);
    assert_int_equal(il_loaded_local(&w.il.instrs[i]), 0);
    assert_int_equal(w.il.instrs[i + 1].op, OP_LDC_I8);
    assert_int_equal(load_u64(w.il.code + w.il.instrs[i + 1].offset + 1), LEAVE_FUNCTION);
    assert_int_equal(w.il.instrs[i + 2].op, OP_CALLI);
    assert_int_equal(w.il.instrs[i + 2].operand, w.enclosure.leave);
    assert_int_equal(i + 4, end_of_all(&w));
    check_all(&w);
    close_world(&w);
}

/* --- returns ---------------------------------------------------------------------------------- */

#define THREE_WAYS                                                                                 \
    "ldarg.0; brfalse.s B; ldarg.1; switch C D; ldc.i4.0; ret; B: ldc.i4.1; ret;"                  \
    "C: ldc.i4.2; ret; D: ldc.i4.3; ret"

static void every_return_goes_to_the_end(void **state)
{
    static const unsigned hows[] = {0, SHARDED, OPTIMISED, SHARDED | OPTIMISED, BY_FUNCTION};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(hows); i++) {
        struct world w;
        open_world(&w, "int32(bool,int32)", INT32_RESULT, hows[i] | WITHOUT_OBJECT);
        rewrite_text(&w, THREE_WAYS, 0);
        assert_int_equal(count_of(&w.m.flow.il, OP_RET), 4);
        assert_int_equal(count_of(&w.il, OP_LEAVE), 4);
        assert_int_equal(count_of(&w.il, OP_RET), 1);
        check_all(&w);
        close_world(&w);
    }
}

static void void_method_returns_nothing(void **state)
{
    struct world w;
    (void)state;
    open_world(&w, "this:void(bool)", NO_RESULT, 0);
    rewrite_text(&w, "ldarg.1; brtrue.s B; ret; B: call void(); ret", 0);
    assert_int_equal(count_of(&w.il, OP_LEAVE), 2);
    assert_int_equal(end_of_all(&w), w.il.count - 1);
    check_all(&w);
    close_world(&w);
}

static void body_that_never_returns_is_enclosed(void **state)
{
    static const char *const texts[] = {"A: call void(); br.s A", "ldnull; throw"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct world w;
        open_world(&w, "this:int32()", INT32_RESULT, 0);
        rewrite_text(&w, texts[i], 0);
        assert_int_equal(count_of(&w.il, OP_LEAVE), 0);
        check_all(&w);
        close_world(&w);
    }
}

static void tail_prefix_is_dropped(void **state)
{
    static const char *const texts[] = {
        "tail.; call int32(); ret",
        "ldarg.1; brtrue.s T; nop; T: tail.; call int32(); ret",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct world w;
        open_world(&w, "this:int32(bool)", INT32_RESULT, 0);
        rewrite_text(&w, texts[i], 0);
        assert_int_equal(count_of(&w.m.flow.il, OP_TAIL), 1);
        assert_int_equal(count_of(&w.il, OP_TAIL), 0);
        assert_int_equal(count_of(&w.il, OP_CALL), 3); /* enter, what it calls, leave */
        check_all(&w);
        close_world(&w);
    }
}

/* Without an enclosure nothing of this happens. */
static void tail_prefix_and_return_stay_without_enclosure(void **state)
{
    struct world w;
    (void)state;
    open_world(&w, "this:int32(bool)", INT32_RESULT, 0);
    w.form.enclosure = NULL;
    rewrite_text(&w, "tail.; call int32(); ret", 0);
    assert_int_equal(count_of(&w.il, OP_TAIL), 1);
    assert_int_equal(count_of(&w.il, OP_RET), 1);
    assert_int_equal(count_of(&w.il, OP_CALL), 1);
    assert_int_equal(w.body.clause_count, 0);
    assert_int_equal(w.body.local_sig, 0);
    close_world(&w);
}

/* --- branches and clauses --------------------------------------------------------------------- */

static void branches_lead_where_they_led(void **state)
{
    static const char *const texts[] = {
        "A: nop; ldarg.1; brtrue.s A; ldc.i4.0; ret",
        ("A: ldarg.1; brfalse B; br.s C; B: ldarg.2; ldc.i4.5; blt.s A; ldc.i4.1; ret;"
         "C: ldarg.2; ldc.i4.0; bge.un C; ldc.i4.2; ret"),
        "A: ldarg.2; switch A B A B C; B: ldc.i4.1; ret; C: ldarg.1; brtrue.s B; br.s A",
        "ldarg.1; brtrue.s T; ldc.i4.0; br.s J; T: ldc.i4.1; J: ret",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        for (unsigned how = 0; how <= (SHARDED | OPTIMISED); how++) {
            struct world w;
            open_world(&w, "this:int32(bool,int32)", INT32_RESULT, how);
            rewrite_text(&w, texts[i], 0);
            check_all(&w);
            close_world(&w);
        }
}

/* As the loop's jump would enter twice. */
static void jump_to_the_start_does_not_enter_again(void **state)
{
    struct world w;
    (void)state;
    open_world(&w, "this:void(bool)", NO_RESULT, 0);
    rewrite_text(&w, "A: nop; ldarg.1; brtrue.s A; ret", 0);
    uint32_t start = added_clause(&w)->try_offset;
    for (uint32_t i = 0; i < w.il.count; i++)
        if (il_info(&w.il.instrs[i])->operand == OPERAND_TARGET32)
            assert_true(w.il.instrs[w.il.instrs[i].operand].offset >= start);
    check_all(&w);
    close_world(&w);
}

static void clauses_stay_in_order_inside_the_new_one(void **state)
{
    static const char *const texts[] = {
        /* at the start */
        ".try A C catch C D; A: call void(); leave.s D; C: pop; leave.s D; D: ret",
        /* one in the other, and a filter */
        ".try A F filter F H E; .try A G finally G Z; A: call void(); leave.s E;"
        "F: pop; ldc.i4.1; endfilter; H: pop; leave.s E; E: leave.s Z; G: endfinally; Z: ret",
        /* two beside each other, the second at the end of the code */
        ".try A C catch C D; .try G H fault H I; A: call void(); leave.s D; C: pop; leave.s D;"
        "D: br.s G; R: ret; G: call void(); leave.s R; H: call void(); endfinally; I:",
    };
    static const uint32_t flags[][3] = {{EH_CATCH, EH_FINALLY},
                                        {EH_FILTER, EH_FINALLY, EH_FINALLY},
                                        {EH_CATCH, EH_FAULT, EH_FINALLY}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        for (unsigned how = 0; how <= (SHARDED | OPTIMISED); how++) {
            struct world w;
            open_world(&w, "this:void()", NO_RESULT, how);
            rewrite_text(&w, texts[i], 0);
            assert_int_equal(w.body.clause_count, i == 0 ? 2 : 3);
            for (uint32_t k = 0; k < w.body.clause_count; k++)
                assert_int_equal(w.body.clauses[k].flags, flags[i][k]);
            check_all(&w);
            close_world(&w);
        }
}

/* --- locals ----------------------------------------------------------------------------------- */

static void locals_are_a_number_an_end_and_a_result(void **state)
{
    static const uint8_t with[] = {ELEMENT_I8, ELEMENT_I4, ELEMENT_SZARRAY, ELEMENT_STRING};
    static const uint8_t without[] = {ELEMENT_I8, ELEMENT_I4};
    struct enclosure enclosure = {.result = BYTES_VIEW(ELEMENT_SZARRAY, ELEMENT_STRING)};
    uint8_t room[8];
    struct writer w;
    (void)state;
    wr_open_fixed(&w, room, sizeof room);
    assert_int_equal(rewrite_enclosure_locals(&w, &enclosure), 3);
    assert_int_equal(w.len, sizeof with);
    assert_memory_equal(room, with, sizeof with);
    enclosure.result = NO_RESULT;
    wr_open_fixed(&w, room, sizeof room);
    assert_int_equal(rewrite_enclosure_locals(&w, &enclosure), 2);
    assert_int_equal(w.len, sizeof without);
    assert_memory_equal(room, without, sizeof without);
}

static void locals_come_after_all_others(void **state)
{
    static const struct {
        unsigned how;
        uint32_t previous;
    } cases[] = {{0, 2}, {OPTIMISED, 2}, {SHARDED, 2}, {SHARDED | OPTIMISED, 2}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct world w;
        open_world(&w, "this:int32()", INT32_RESULT, cases[i].how);
        rewrite_text(&w, ".locals int32 int32; ldloc.1; ret", 2);
        assert_int_equal(il_stored_local(&w.il.instrs[3]), cases[i].previous);
        assert_int_equal(il_stored_local(&w.il.instrs[5]), cases[i].previous + 1);
        assert_int_equal(il_loaded_local(&w.il.instrs[w.il.count - 2]), cases[i].previous + 2);
        check_all(&w);
        close_world(&w);
    }
}

/* The thread counts elsewhere from then on. */
static void base_is_found_after_entering(void **state)
{
    struct world w;
    (void)state;
    open_world(&w, "this:void()", NO_RESULT, SHARDED);
    rewrite_text(&w, "ret", 0);
    uint32_t entered = IL_NO_INDEX, based = IL_NO_INDEX;
    for (uint32_t i = 0; i < w.il.count; i++) {
        if (w.il.instrs[i].op == OP_CALL && w.il.instrs[i].operand == w.enclosure.enter)
            entered = i;
        if (il_stored_local(&w.il.instrs[i]) == 0)
            based = i;
    }
    assert_int_not_equal(entered, IL_NO_INDEX);
    assert_int_not_equal(based, IL_NO_INDEX);
    assert_true(based > entered);
    close_world(&w);
}

/* stloc and ldloc of one byte hold up to 255. */
static void many_locals_need_long_forms(void **state)
{
    static const uint32_t counts[] = {252, 253, 254, 255, 256, 65530};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
        struct world w;
        open_world(&w, "this:int32()", INT32_RESULT, 0);
        rewrite_text(&w, "ldc.i4.1; ret", 0);
        w.m.flow.context.local_count = counts[i];
        assert_int_equal(rewrite(&w.out, &w.m.flow, &w.m.plan, &w.form, &w.m.arena, &w.m.arena),
                         VERDICT_OK);
        assert_int_equal(body_parse(&w.body, w.out.body, &w.m.arena), VERDICT_OK);
        assert_int_equal(il_decode(&w.il, &w.body, &w.m.arena), VERDICT_OK);
        assert_int_equal(il_stored_local(&w.il.instrs[3]), counts[i]);
        assert_int_equal(il_stored_local(&w.il.instrs[5]), counts[i] + 1);
        assert_int_equal(il_loaded_local(&w.il.instrs[w.il.count - 2]), counts[i] + 2);
        for (uint32_t k = 0; k < w.m.flow.il.count; k++)
            check_instruction(&w, k);
        close_world(&w);
    }
}

/* --- what is refused -------------------------------------------------------------------------- */

static void body_that_jumps_to_a_method_is_refused(void **state)
{
    static const struct {
        const char *text;
        bool can;
    } cases[] = {{"jmp self", false},
                 {"ldarg.0; brtrue.s E; ret; E: jmp self", false},
                 {"ldarg.0; tail.; call void(bool); ret", true},
                 {"ret", true}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct il_method m;
        il_method_open(&m, "void(bool)", cases[i].text);
        assert_int_equal(rewrite_can_enclose(&m.flow), cases[i].can);
        il_method_close(&m);
    }
}

/* III.1.7.4 has 2^16 - 1: three are for the enclosure. */
static void too_many_locals_are_refused(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()", "ret");
    m.flow.context.local_count = 65535 - 3;
    assert_true(rewrite_can_enclose(&m.flow));
    m.flow.context.local_count++;
    assert_false(rewrite_can_enclose(&m.flow));
    m.flow.context.local_count = 65535;
    assert_false(rewrite_can_enclose(&m.flow));
    il_method_close(&m);
}

/* --- probes that call ------------------------------------------------------------------------- */

/* ldc.i8 address; ldc.i8 function; calli: and nothing else that touches memory. */
static void check_calling(struct il_method *m, enum count_mode mode, unsigned size)
{
    struct probe_form form = {.mode = mode,
                              .counters = COUNTERS,
                              .looks_first = mode == MODE_HIT,
                              .calls = true,
                              .function_sig = FUNCTION_SIG,
                              .function = FUNCTION};
    struct rewritten out;
    struct il_body body;
    struct il il;
    uint32_t calls = 0, seen = 0;
    assert_int_equal(rewrite(&out, &m->flow, &m->plan, &form, &m->arena, &m->arena), VERDICT_OK);
    assert_int_equal(body_parse(&body, out.body, &m->arena), VERDICT_OK);
    assert_int_equal(il_decode(&il, &body, &m->arena), VERDICT_OK);
    for (uint32_t i = 2; i < il.count; i++) {
        if (il.instrs[i].op != OP_CALLI)
            continue;
        uint64_t address = load_u64(il.code + il.instrs[i - 2].offset + 1);
        assert_int_equal(il.instrs[i].operand, FUNCTION_SIG);
        assert_int_equal(il.instrs[i - 1].op, OP_LDC_I8);
        assert_int_equal(load_u64(il.code + il.instrs[i - 1].offset + 1), FUNCTION);
        assert_int_equal(il.instrs[i - 2].op, OP_LDC_I8);
        assert_int_equal((address - COUNTERS) % size, 0);
        assert_in_range((address - COUNTERS) / size, 0, m->plan.counter_count - 1);
        seen |= 1U << (address - COUNTERS) / size;
        calls++;
    }
    assert_int_equal(calls, m->plan.counter_count);
    assert_int_equal(seen, (1U << calls) - 1);
    assert_int_equal(count_of(&il, OP_STIND_I8) + count_of(&il, OP_STIND_I1), 0);
    assert_int_equal(count_of(&il, OP_LDIND_I8) + count_of(&il, OP_LDIND_U1), 0);
}

static void probes_call_a_function_in_every_mode(void **state)
{
    static const char *const texts[] = {"ret", "ldarg.0; brtrue.s E; call void(); E: ret",
                                        "ldarg.0; ldc.i4.0; ceq; stloc.0; ldloc.0; pop; ret"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct il_method m;
        char text[128] = ".locals bool; ";
        strcat(text, texts[i]);
        il_method_open(&m, "void(bool)", text);
        assert_true(i != 1 || m.plan.counter_count > 1);
        check_calling(&m, MODE_COUNT, 8);
        check_calling(&m, MODE_HIT, 1);
        il_method_close(&m);
    }
}

/* ldc.i8 address; ldc.i8 function; calli; ret */
static void calling_probe_is_these_bytes(void **state)
{
    static const uint8_t expected[] = {0x21, 0x44, 0x33, 0x22, 0x11, 0,    0,    0,
                                       0,    0x21, 0xAA, 0x99, 0x88, 0x77, 0x66, 0x55,
                                       0,    0,    0x29, 0xFD, 0xFF, 0x7F, 0x11, 0x2A};
    (void)state;
    for (enum count_mode mode = MODE_COUNT; mode <= MODE_EXACT; mode++) {
        struct world w;
        open_world(&w, "void()", NO_RESULT, 0);
        w.form.enclosure = NULL;
        w.form.mode = mode;
        w.form.calls = mode != MODE_EXACT;
        rewrite_text(&w, "ret", 0);
        check_code(&w, VIEW(expected));
        close_world(&w);
    }
}

static void enclosed_probes_call_too(void **state)
{
    struct world w;
    (void)state;
    open_world(&w, "this:int32(bool,int32)", INT32_RESULT, 0);
    w.form.calls = true;
    w.form.function_sig = stand_alone(&w.m.builder, BYTES_VIEW(0, 1, ELEMENT_VOID, ELEMENT_I));
    rewrite_text(&w, "ldarg.1; brfalse.s B; ldc.i4.0; ret; B: ldc.i4.1; ret", 0);
    assert_int_equal(count_of(&w.il, OP_CALLI), w.m.plan.counter_count);
    check_all(&w);
    close_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enclosure_of_nothing_is_these_bytes),
        cmocka_unit_test(functions_are_called_by_their_address),
        cmocka_unit_test(method_without_an_object_enters_with_null),
        cmocka_unit_test(object_that_is_returned_is_given_to_leave),
        cmocka_unit_test(object_is_null_until_it_is_returned),
        cmocka_unit_test(value_that_is_no_object_is_not_given),
        cmocka_unit_test(function_gets_the_previous_one_alone),
        cmocka_unit_test(every_return_goes_to_the_end),
        cmocka_unit_test(void_method_returns_nothing),
        cmocka_unit_test(body_that_never_returns_is_enclosed),
        cmocka_unit_test(tail_prefix_is_dropped),
        cmocka_unit_test(tail_prefix_and_return_stay_without_enclosure),
        cmocka_unit_test(branches_lead_where_they_led),
        cmocka_unit_test(jump_to_the_start_does_not_enter_again),
        cmocka_unit_test(clauses_stay_in_order_inside_the_new_one),
        cmocka_unit_test(locals_are_a_number_an_end_and_a_result),
        cmocka_unit_test(locals_come_after_all_others),
        cmocka_unit_test(base_is_found_after_entering),
        cmocka_unit_test(many_locals_need_long_forms),
        cmocka_unit_test(body_that_jumps_to_a_method_is_refused),
        cmocka_unit_test(too_many_locals_are_refused),
        cmocka_unit_test(probes_call_a_function_in_every_mode),
        cmocka_unit_test(calling_probe_is_these_bytes),
        cmocka_unit_test(enclosed_probes_call_too),
    };
    return cmocka_run_group_tests_name("enclosed_body", tests, NULL, NULL);
}

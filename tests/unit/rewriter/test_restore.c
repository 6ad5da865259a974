/* test_restore.c - what GetMethodBody gets behind its code is sound IL behind the old one, and the
 * answers to what it asks are those of the method's own body. */
#include "rewriter/restore.h"

#include "rewriter/flow.h"
#include "tests/support/check.h"
#include "tests/support/il_builder.h"

/* As the core libraries have it: those of .NET 8 to 10, and that of .NET 11. */
static const char *const get_method_body[] = {
    ".locals class; ldarg.0; ldarg.0; call this:class(); call class(class,class); stloc.0; ldloc.0;"
    "brfalse.s E; ldloc.0; ldarg.0; stfld class _methodBase; E: ldloc.0; ret",
    "ldarg.0; ldarg.0; call this:class(); call class(class,class); dup; dup; brtrue.s E; pop; ret;"
    "E: ldarg.0; stfld class _methodBase; ret",
};

enum {
    OLD_LEN = 25
};

struct world {
    struct il_builder builder;
    struct arena arena;
    struct restore_form form;
};

static uint32_t member(struct il_builder *b, struct view signature)
{
    enum {
        OF_TYPE_REF_1 = 1 << 3 | 1
    };
    return TOKEN(TABLE_MemberRef,
                 IMAGE_ROW(&b->image, MemberRef, OF_TYPE_REF_1, image_string(&b->image, "F"),
                           image_blob(&b->image, signature.data, signature.len)));
}

static uint32_t stand_alone(struct il_builder *b, const void *bytes, size_t len)
{
    return TOKEN(TABLE_StandAloneSig,
                 IMAGE_ROW(&b->image, StandAloneSig, image_blob(&b->image, bytes, len)));
}

static void open_world(struct world *w)
{
    enum {
        THIS = SIG_HAS_THIS,
        REF = 1 << 2 | 1
    };
    struct il_builder *b = &w->builder;
    arena_init(&w->arena, NULL, 0, ARENA_NO_LIMIT);
    il_begin(b, "this:class()");
    w->form = (struct restore_form){
        .get_module = member(b, BYTES_VIEW(THIS, 0, ELEMENT_CLASS, REF)),
        .get_token = member(b, BYTES_VIEW(THIS, 0, ELEMENT_I4)),
        .module_id = member(b, BYTES_VIEW(THIS, 0, ELEMENT_I)),
        .object_ref = member(b, BYTES_VIEW(0, 1, ELEMENT_BYREF, ELEMENT_U1, ELEMENT_OBJECT)),
        .copy_array = member(
            b, BYTES_VIEW(0, 3, ELEMENT_VOID, ELEMENT_CLASS, REF, ELEMENT_CLASS, REF, ELEMENT_I4)),
        .byte_type = TOKEN(TABLE_TypeRef, 1),
        .local_type = TOKEN(TABLE_TypeRef, 1),
        .clause_type = TOKEN(TABLE_TypeRef, 1),
        .local_sig = stand_alone(b, BYTES(SIG_LOCALS, 1, ELEMENT_OBJECT), 3),
        .ask_sig = stand_alone(b, restore_ask_sig, restore_ask_sig_len),
        .ask = UINT64_C(0x7F1122334455),
    };
    for (uint32_t i = 0; i < RESTORE_FIELD_COUNT; i++)
        w->form.offset[i] = 8 * i;
}

static void close_world(struct world *w)
{
    il_free(&w->builder);
    arena_free(&w->arena);
}

static bool write_text(struct writer *out, struct world *w, const char *text)
{
    *out = wr_in(&w->arena);
    struct il_body body;
    return body_parse(&body, il_assemble(&w->builder, text), &w->arena) == VERDICT_OK &&
           restore_write(out, &body, &w->form, &w->arena);
}

/* flow_build follows every way and knows each call's signature. */
static void added_code_is_sound_in(const char *text)
{
    struct world w;
    struct writer out;
    struct flow flow;
    open_world(&w);
    assert_true(write_text(&out, &w, text));
    struct view body = {out.data, out.len};
    assert_int_equal(flow_build(&flow, body, &w.builder.md, NULL, IL_METHOD_RID, &w.arena),
                     VERDICT_OK);
    assert_int_equal(flow.context.local_count, 1);
    for (uint32_t i = 0; i < flow.block_count; i++) {
        assert_true(flow.blocks[i].reachable);
        assert_true(flow.blocks[i].depth <= flow.body.max_stack);
    }
    close_world(&w);
}

static void added_code_is_sound(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(get_method_body); i++)
        added_code_is_sound_in(get_method_body[i]);
}

static void old_code_stays_in_front_in(const char *text)
{
    struct world w;
    struct writer out;
    struct il_body old, new;
    open_world(&w);
    assert_true(write_text(&out, &w, text));
    struct view before = {w.builder.body.data, w.builder.body.len};
    assert_int_equal(body_parse(&old, before, &w.arena), VERDICT_OK);
    assert_int_equal(body_parse(&new, (struct view){out.data, out.len}, &w.arena), VERDICT_OK);
    assert_int_equal(old.code_size, OLD_LEN);
    assert_memory_equal(old.code, new.code, OLD_LEN - 1);
    assert_int_equal(new.local_sig, w.form.local_sig);
    close_world(&w);
}

static void old_code_stays_in_front(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(get_method_body); i++)
        old_code_stays_in_front_in(get_method_body[i]);
}

/* It is pushed behind the token. */
static const struct instr *question_of(const struct il *il, uint32_t call,
                                       const struct restore_form *form)
{
    while (il->instrs[call].op != OP_CALL || il->instrs[call].operand != form->get_token)
        call--;
    return &il->instrs[call + 1];
}

static void every_question_is_asked_in(const char *text)
{
    struct world w;
    struct writer out;
    struct il_body body;
    struct il il;
    bool asked[RESTORE_CODE_SIZE + 1] = {false};
    open_world(&w);
    assert_true(write_text(&out, &w, text));
    assert_int_equal(body_parse(&body, (struct view){out.data, out.len}, &w.arena), VERDICT_OK);
    assert_int_equal(il_decode(&il, &body, &w.arena), VERDICT_OK);
    for (uint32_t i = 0; i < il.count; i++) {
        int32_t question = -1;
        if (il.instrs[i].op != OP_CALLI)
            continue;
        assert_int_equal(il.instrs[i].operand, w.form.ask_sig);
        assert_int_equal(load_u64(il.code + il.instrs[i - 1].offset + 1), w.form.ask);
        assert_true(il_constant(&question, question_of(&il, i, &w.form)));
        assert_in_range(question, 0, RESTORE_CODE_SIZE);
        asked[question] = true;
    }
    for (unsigned i = 0; i < ARRAY_LEN(asked); i++)
        assert_true(asked[i]);
    close_world(&w);
}

static void every_question_is_asked(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(get_method_body); i++)
        every_question_is_asked_in(get_method_body[i]);
}

static void bodies_that_leave_elsewhere_are_refused(void **state)
{
    static const char *const texts[] = {
        "ldarg.0; brfalse.s E; ldnull; ret; E: ldnull; ret",
        "ldarg.0; dup; brtrue.s E; pop; ldarg.0; ret; E: ret",
        "ldarg.0; dup; dup; brfalse.s E; pop; ret; E: ret",
        "S: ldarg.0; brfalse.s E; br.s S; E: ldnull; throw",
        ".locals object; .try A C catch C E; A: leave.s E; C: pop; leave.s E; E: ldnull; ret",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct world w;
        struct writer out;
        open_world(&w);
        assert_false(write_text(&out, &w, texts[i]));
        close_world(&w);
    }
}

static void answers_are_those_of_the_body(void **state)
{
    (void)state;
    struct il_method m;
    il_method_open(
        &m, "int32(bool)",
        ".locals int32 object; .init; .stack 5; .try A F filter F H E; .try A G finally G Z;"
        "A: call void(); leave.s E; F: pop; ldc.i4.1; endfilter; H: pop; leave.s E;"
        "E: leave.s Z; G: endfinally; Z: ldc.i4.0; ret");
    const struct il_body *body = &m.flow.body;
    const int64_t expected[] = {
        [RESTORE_CODE] = (int64_t)(uintptr_t)body->code,
        [RESTORE_CODE_SIZE] = body->code_size,
        [RESTORE_LOCALS] = 2,
        [RESTORE_CLAUSES] = 2,
        [RESTORE_MAX_STACK] = 5,
        [RESTORE_LOCAL_SIG] = body->local_sig,
        [RESTORE_INIT_LOCALS] = 1,
        [RESTORE_TRY_OFFSET] = 0,
        [RESTORE_TRY_LENGTH] = il_offset(&m.builder, "F"),
        [RESTORE_HANDLER_OFFSET] = il_offset(&m.builder, "H"),
        [RESTORE_HANDLER_LENGTH] = il_offset(&m.builder, "E") - il_offset(&m.builder, "H"),
        [RESTORE_FILTER_OFFSET] = il_offset(&m.builder, "F"),
    };
    for (uint32_t i = 0; i < ARRAY_LEN(expected); i++)
        assert_int_equal(restore_answer(body, 2, i, 0), expected[i]);
    assert_int_equal(restore_answer(body, 2, RESTORE_HANDLER_OFFSET, 1),
                     il_offset(&m.builder, "G"));
    assert_int_equal(restore_answer(body, 2, RESTORE_FILTER_OFFSET, 1), 0);
    assert_int_equal(restore_answer(body, 2, RESTORE_TRY_LENGTH, 2), 0);
    assert_int_equal(restore_answer(body, 2, 99, 0), 0);
    il_method_close(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(added_code_is_sound),
    cmocka_unit_test(old_code_stays_in_front),
    cmocka_unit_test(every_question_is_asked),
    cmocka_unit_test(bodies_that_leave_elsewhere_are_refused),
    cmocka_unit_test(answers_are_those_of_the_body),
};
UNIT_TESTS(tests);

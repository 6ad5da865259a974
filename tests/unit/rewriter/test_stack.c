/* test_stack.c - the evaluation stack is followed instruction by instruction: its depth, what may
 * throw where it stands, what is surely a bool, and which calls are the method's own. */
#include "rewriter/stack.h"

#include "tests/support/check.h"
#include "tests/support/il_builder.h"
#include <stdio.h>

/* Straight code, executed to its end. */
struct track {
    struct il_builder builder;
    struct arena arena;
    struct il_body body;
    struct il il;
    struct stack_context context;
    struct stack stack;
    bool throws; /* the last instruction may */
    enum verdict verdict;
};

static void run(struct track *t, const char *signature, const char *text)
{
    il_begin(&t->builder, signature);
    arena_init(&t->arena, NULL, 0, ARENA_NO_LIMIT);
    struct view bytes = il_assemble(&t->builder, text);
    assert_int_equal(body_parse(&t->body, bytes, &t->arena), VERDICT_OK);
    assert_int_equal(il_decode(&t->il, &t->body, &t->arena), VERDICT_OK);
    assert_int_equal(stack_context_init(&t->context, &t->builder.md, NULL, &t->il, &t->body,
                                        IL_METHOD_RID, &t->arena),
                     VERDICT_OK);
    assert_true(stack_init(&t->stack, t->body.max_stack, &t->arena));
    assert_true(stack_enter(&t->stack, 0, 0));
    t->verdict = VERDICT_OK;
    for (uint32_t i = 0; i < t->il.count && t->verdict == VERDICT_OK; i++)
        t->verdict = stack_step(&t->stack, &t->throws, &t->context, i);
}

static void stop(struct track *t)
{
    arena_free(&t->arena);
    il_free(&t->builder);
}

/* --- depth ------------------------------------------------------------------------------------ */

static const struct {
    const char *signature, *text;
    uint32_t depth;
} depths[] = {
    {"void()", "nop", 0},
    {"void()", "ldc.i4.1; ldc.i8 5; ldstr; ldnull", 4},
    {"void()", "ldc.i4.1; dup; add", 1},
    {"void()", "call void()", 0},
    {"void()", "call int32()", 1},
    {"void()", "ldc.i4.1; ldnull; call void(int32,object)", 0},
    {"void()", "ldnull; callvirt this:void()", 0},
    {"void()", "ldnull; ldc.i4.1; callvirt this:bool(int32)", 1},
    {"void()", "newobj this:void()", 1},
    {"void()", "ldc.i4.1; ldc.i4.2; newobj this:void(int32,int32)", 1},
    {"void()", "ldc.i4.1; ldftn void(); calli void(int32)", 0},
    {"void()", "ldnull; ldftn void(); calli this:object()", 1},
    {"void()", "call !!0() F <int32>", 1},
    {"void()", "ldnull; callvirt this:!0() F of<int32>", 1},
    {"void()", "call self", 0},
    {"int32(int32)", "ldarg.0; call self", 1},
    {"this:int32(int32)", "ldarg.0; ldarg.1; call self_ref", 1},
    {"void()", "ldnull; ldc.i4.0; ldc.i4.1; stelem.i4", 0},
    {"void()", "ldnull; ldc.i4.0; ldelema", 1},
    {"void()", "ldc.i4.8; conv.u; localloc", 1},
    {"void()", "ldnull; ldc.i4.0; ldc.i4.1; cpblk", 0},
    {"void()", "ret", 0},
    {"int32()", "ldc.i4.1; ret", 0},
    {"void()", "ldc.i4.7; ret", 1}, /* left over: the runtime lets it pass */
    {"class()", "ldnull; ret", 0},
    {"async:class()", "ret", 0}, /* Task */
    {"async:generic()", "ldc.i4.1; ret", 0},
};

static void calls_take_and_give_what_their_signatures_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(depths); i++) {
        struct track t;
        run(&t, depths[i].signature, depths[i].text);
        if (t.verdict != VERDICT_OK || t.stack.depth != depths[i].depth)
            fail_msg("%s: %s, depth %u", depths[i].text, verdict_text(t.verdict),
                     (unsigned)t.stack.depth);
        stop(&t);
    }
}

static const struct {
    const char *signature, *text;
} unbalanced[] = {
    {"void()", "pop"},
    {"void()", "ldc.i4.1; add"},
    {"void()", "dup"},
    {"int32()", "ret"},
    {"class()", "ret"},
    {"async:generic()", "ret"},
    {"void()", "call void(int32)"},
    {"void()", "callvirt this:void()"},
    {"void()", "calli void()"},
    {"void()", "newobj this:void(int32)"},
    {"void()", "throw"},
    {"void()", ".fat; .stack 1; ldc.i4.1; ldc.i4.2"},
    {"void()", ".fat; .stack 1; ldc.i4.1; dup"},
    {"void()", ".fat; .stack 0; call int32()"},
    {"void()", ".fat; .stack 0; newobj this:void()"},
};

static void stack_below_nothing_or_above_its_limit_is_declined(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(unbalanced); i++) {
        struct track t;
        run(&t, unbalanced[i].signature, unbalanced[i].text);
        if (t.verdict != VERDICT_DECLINED_STACK)
            fail_msg("%s: %s", unbalanced[i].text, verdict_text(t.verdict));
        stop(&t);
    }
}

static void limit_is_reached_but_not_passed(void **state)
{
    struct track t;
    (void)state;
    run(&t, "void()", ".fat; .stack 2; ldc.i4.1; ldc.i4.2; add; dup; pop; call int32()");
    assert_int_equal(t.verdict, VERDICT_OK);
    assert_int_equal(t.stack.depth, 2);
    assert_false(stack_enter(&t.stack, 3, 0));
    assert_true(stack_enter(&t.stack, 2, 0));
    stop(&t);
}

/* Tokens that lead to no signature: no row, no method's table, an empty or malformed blob. */
static void calls_of_nothing_are_declined(void **state)
{
    static const uint32_t tokens[] = {0x0A000063, 0x06000009, 0x2B000001, 0x11000001,
                                      0x02000001, 0x00000000, 0xFFFFFFFF};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(tokens); i++) {
        struct track t;
        uint8_t code[6] = {0x28, 0, 0, 0, 0, 0x2A};
        run(&t, "void()", "nop");
        store_u32(code + 1, tokens[i]);
        t.body.code = code;
        t.body.code_size = sizeof code;
        assert_int_equal(il_decode(&t.il, &t.body, &t.arena), VERDICT_OK);
        assert_int_equal(stack_step(&t.stack, &t.throws, &t.context, 0),
                         VERDICT_DECLINED_SIGNATURE);
        stop(&t);
    }
}

static void method_or_locals_without_signature_are_declined(void **state)
{
    struct track t;
    struct stack_context context;
    (void)state;
    run(&t, "void()", ".locals int32; nop");
    assert_int_equal(
        stack_context_init(&context, &t.builder.md, NULL, &t.il, &t.body, 99, &t.arena),
        VERDICT_DECLINED_SIGNATURE);
    t.body.local_sig = 0x11000099;
    assert_int_equal(
        stack_context_init(&context, &t.builder.md, NULL, &t.il, &t.body, IL_METHOD_RID, &t.arena),
        VERDICT_DECLINED_SIGNATURE);
    stop(&t);
}

static void types_of_locals_are_found_however_many_there_are(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= 20; count++) {
        struct track t;
        char text[1024] = ".locals";
        size_t len = strlen(text);
        for (uint32_t i = 0; i < count; i++)
            len += (size_t)snprintf(text + len, sizeof text - len, " %s",
                                    i % 3 == 0   ? "bool"
                                    : i % 3 == 1 ? "nint"
                                                 : "char");
        (void)snprintf(text + len, sizeof text - len, "; nop");
        run(&t, "void()", text);
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(sig_first_element(stack_local_type(&t.context, i)),
                             i % 3 == 0   ? ELEMENT_BOOLEAN
                             : i % 3 == 1 ? ELEMENT_I
                                          : ELEMENT_CHAR);
        assert_int_equal(stack_local_type(&t.context, count).len, 0);
        stop(&t);
    }
}

/* --- what may throw --------------------------------------------------------------------------- */

static const struct {
    const char *signature, *text;
    bool throws;
} throwers[] = {
    {"void(int32)", "ldarga.s 0; ldind.i4", false},
    {"void()", ".locals int32; ldloca.s 0; ldind.i4", false},
    {"void()", ".locals nint; ldloc.0; ldind.i4", true},
    {"void()", "newobj this:void(); ldfld int32", false},
    {"void()", "newobj this:void(); dup; ldc.i4.1; stfld int32", false},
    {"void()", "newobj this:void(); ldc.i4.1; stfld int32", false},
    {"void(object)", "ldarg.0; ldfld int32", true},
    {"void(object)", "ldarg.0; ldc.i4.1; stfld int32", true},
    {"this:void()", "ldarg.0; ldfld int32", false},
    {"this:void()", "ldarg.s 0; ldfld int32", false},
    {"this:void()", "ldarg 0; ldfld int32", false},
    {"this:void(object)", "ldarg.1; ldfld int32", true},
    {"this:void()", "ldarg.0; ldc.i4.1; stfld int32", false},
    {"this:void()", "ldnull; starg.s 0; ldarg.0; ldfld int32", true},
    {"this:void()", "ldarg.0; ldfld int32; ldarga.s 0; pop; ldarg.0; ldfld int32", true},
    {"this:void(object)", "ldnull; starg.s 1; ldarg.0; ldfld int32", false},
    {"this:void()", "ldarg.0; ldfld object; ldfld int32", true},
    {"this:void()", "ldarg.0; ldflda int32; ldind.i4", false},
    {"void()", "ldsflda int32; ldind.i4", false},
    {"void()", "ldsfld object; ldfld int32", true},
    {"void()", "ldc.i4.1; newarr; ldlen", false},
    {"void(object)", "ldarg.0; ldlen", true},
    {"void()", "ldc.i4.1; newarr; ldc.i4.0; ldelem.i4", true}, /* the index */
    {"void()", "ldc.i4.1; newarr; ldc.i4.0; ldelema; ldind.i4", false},
    {"void(object)", "ldarg.0; unbox; ldobj", false},
    {"void(object)", "ldarg.0; unbox", true},
    {"void()", "ldstr; ldlen", false},
    {"void()", "ldnull; ldlen", true},
    {"void()", ".locals int32; ldloca.s 0; initobj", false},
    {"void(nint)", "ldarg.0; initobj", true},
    {"void()", ".locals int32; ldloca.s 0; ldc.i4.1; stind.i4", false},
    {"void(nint)", "ldarg.0; ldstr; stind.ref", true}, /* not the value, the address matters */
    {"void()", "call void()", true},
    {"void()", "ldc.i4.1; ldc.i4.2; add", false},
    {"void(int32)", "ldarg.0; ldc.i4.2; div", false},
    {"void(int32)", "ldarg.0; ldc.i4 -7; rem", false},
    {"void(int32)", "ldarg.0; ldc.i4.s 100; rem.un", false},
    {"void(int32)", "ldarg.0; ldc.i4.1; div.un", false},
    {"void(int32)", "ldarg.0; ldc.i4.0; div", true},
    {"void(int32)", "ldarg.0; ldc.i4.m1; div", true}, /* the smallest number */
    {"void(int32)", "ldc.i4.2; ldarg.0; div", true},
    {"void(int32)", "ldarg.0; ldc.i4.2; div; ldarg.0; div", true},
    {"void()", "ldsfld int32", true}, /* a type's constructor */
    {"void()", "newobj this:void()", true},
    {"void()", "ldc.i4.0; box", false},
    {"void(object)", "ldarg.0; isinst", false},
    {"void(object)", "ldarg.0; castclass", true},
    {"void(object)", "ldarg.0; throw", true},
    {"void()", "ldc.i4.1; brtrue E; E: nop", false},
    /* what was used before is not null */
    {"void(object)", "ldarg.0; ldfld int32; pop; ldarg.0; ldfld int32", false},
    {"void(object)", "ldarg.0; callvirt this:void(); ldarg.0; ldfld int32", false},
    {"void(object)", "ldarg.0; call this:void(); ldarg.0; ldfld int32", true}, /* checks nothing */
    {"void(object)", "ldarg.0; dup; ldfld int32; pop; ldfld int32", false},
    {"void()", "ldsfld object; dup; ldfld int32; pop; ldfld int32", false},
    {"void()", ".locals object; ldloc.0; ldlen; pop; ldloc.0; ldfld int32", false},
    {"void(object,object)", "ldarg.0; ldfld int32; pop; ldarg.1; ldfld int32", true},
    {"void(object)", ".locals object; ldarg.0; ldfld int32; pop; ldloc.0; ldfld int32", true},
    /* ... unless it was stored to meanwhile */
    {"void(object)", "ldarg.0; ldfld int32; pop; ldnull; starg.s 0; ldarg.0; ldfld int32", true},
    {"void(object)", "ldarg.0; ldnull; starg.s 0; ldfld int32; pop; ldarg.0; ldfld int32", true},
    {"void(object)", "ldarg.0; ldfld int32; pop; newobj this:void(); starg.s 0; ldarg.0; ldlen",
     false},
    {"void(object)",
     ".locals object; ldarg.0; ldfld int32; pop; ldarg.0; stloc.0; ldloc.0; ldfld int32", false},
    /* ... or something else may have */
    {"void(object)", "ldarg.0; ldfld int32; pop; ldarga.s 0; pop; ldarg.0; ldfld int32", true},
    {"void()",
     ".locals object; ldloc.0; ldlen; pop; ldloca.s 0; call void(nint); ldloc.0; ldfld int32",
     true},
};

/* The variables that are not null if what is on top is true, or false. */
static const struct {
    const char *signature, *text;
    uint64_t if_true, if_false;
} tests_of_null[] = {
    {"void(object)", "ldarg.0", 1ull << VARIABLE_ARGUMENTS, 0},
    {"void()", ".locals object object; ldloc.1", 2, 0},
    {"void()", ".locals object; ldloc.0; ldnull; ceq", 0, 1},
    {"void()", ".locals object; ldloc.0; ldnull; cgt.un", 1, 0},
    {"void()", ".locals object; ldloc.0; ldnull; ceq; ldc.i4.0; ceq", 1, 0},
    {"void()", ".locals object object; ldloc.0; ldloc.1; ceq", 0, 0},
    {"void()", ".locals object; ldloc.0; ldnull; cgt", 0, 0},
    {"void()", ".locals object bool; ldloc.0; ldnull; ceq; stloc.1; ldloc.1", 2, 1},
    {"void()", ".locals object bool; ldloc.0; ldnull; cgt.un; stloc.1; ldloc.1", 3, 0},
    {"void()", ".locals object bool; ldloc.0; ldnull; ceq; stloc.1; ldnull; stloc.0; ldloc.1", 2,
     0},
    {"void()", ".locals object bool; ldloc.0; ldnull; ceq; stloc.1; ldc.i4.0; stloc.1; ldloc.1", 2,
     0},
    {"void()", ".locals object bool; ldloca.s 0; pop; ldloc.0; ldnull; ceq", 0, 0},
    {"void()", ".locals object; ldloc.0; ldnull; ceq; ldnull; stloc.0", 0, 0},
    {"void()", "nop", 0, 0},
};

static void tests_of_null_say_what_is_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(tests_of_null); i++) {
        struct track t;
        run(&t, tests_of_null[i].signature, tests_of_null[i].text);
        assert_int_equal(t.verdict, VERDICT_OK);
        if (stack_not_null_if(&t.stack, true) != tests_of_null[i].if_true ||
            stack_not_null_if(&t.stack, false) != tests_of_null[i].if_false)
            fail_msg("%s: %llx, %llx", tests_of_null[i].text,
                     (unsigned long long)stack_not_null_if(&t.stack, true),
                     (unsigned long long)stack_not_null_if(&t.stack, false));
        stop(&t);
    }
}

/* Only the first 32 locals and arguments are followed. */
static void variables_beyond_the_first_are_not_followed(void **state)
{
    struct track t;
    (void)state;
    run(&t, "void(object)", "ldarg 32; ldfld int32; pop; ldarg 32; ldfld int32");
    assert_true(t.throws);
    stop(&t);
    run(&t, "void(object)", "ldarg 31; ldfld int32; pop; ldarg 31; ldfld int32");
    assert_false(t.throws);
    stop(&t);
}

static void references_that_are_never_null_do_not_throw(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(throwers); i++) {
        struct track t;
        run(&t, throwers[i].signature, throwers[i].text);
        assert_int_equal(t.verdict, VERDICT_OK);
        if (t.throws != throwers[i].throws)
            fail_msg("%s: %s", throwers[i].text, t.throws ? "may throw" : "never throws");
        stop(&t);
    }
}

static void makers_are_forgotten_where_a_block_is_entered(void **state)
{
    struct track t;
    (void)state;
    run(&t, "void()", "newobj this:void(); ldfld int32");
    assert_true(stack_enter(&t.stack, 1, 0));
    assert_int_equal(stack_step(&t.stack, &t.throws, &t.context, 1), VERDICT_OK);
    assert_true(t.throws);
    stop(&t);
}

/* --- what is a bool --------------------------------------------------------------------------- */

static const struct {
    const char *signature, *text;
    bool is_bool;
} bools[] = {
    {"void()", "nop", false},
    {"void()", "ldc.i4.1; ldc.i4.2; ceq", false}, /* a constant */
    {"void()", "ldsfld int32; ldc.i4.2; ceq", true},
    {"void()", "ldc.i4.1; ldc.i4.2; cgt", true},
    {"void()", "ldnull; ldnull; cgt.un", true},
    {"void()", "ldc.i4.1; ldc.i4.2; clt", true},
    {"void()", "ldc.i4.1; ldc.i4.2; clt.un", true},
    {"void()", "ldc.i4.1", false},
    {"void()", "ldc.i4.0", false},
    {"void()", "ldc.i4.1; ldc.i4.2; and", false},
    {"void()", "call bool()", true},
    {"void()", "call int32()", false},
    {"void()", "call void()", false},
    {"void()", "ldnull; callvirt this:bool()", true},
    {"void()", "ldftn bool(); calli bool()", true},
    {"void()", "call !!0() F <bool>", true},
    {"void()", "call !!0() F <int32>", false},
    {"void()", "call bool() F <int32>", true},
    {"void()", "ldnull; callvirt this:!0() F of<bool>", true},
    {"void()", "ldnull; callvirt this:!0() F of<int32>", false},
    {"void()", "ldnull; callvirt this:bool() F of<int32>", true},
    {"void()", "ldsfld bool", true},
    {"void()", "ldsfld int32", false},
    {"void()", "ldnull; ldfld bool", true},
    {"void()", "ldnull; ldfld uint8", false},
    {"void()", ".locals int32 bool; ldloc.1", true},
    {"void()", ".locals int32 bool; ldloc.s 1", true},
    {"void()", ".locals int32 bool; ldloc.0", false},
    {"void()", ".locals int32 bool; ldloc.2", false},
    {"void(int32,bool)", "ldarg.1", true},
    {"void(int32,bool)", "ldarg.0", false},
    {"void(int32,bool)", "ldarg.2", false},
    {"this:void(bool)", "ldarg.0", false},
    {"this:void(bool)", "ldarg.1", true},
    {"void()", "ldsfld bool; dup; pop", true},
    {"void()", "ldnull; ldc.i4.0; ldelem.u1", true},
    {"void()", "newobj this:void()", false},
};

static void computed_bools_are_distinguished_from_other_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bools); i++) {
        struct track t;
        run(&t, bools[i].signature, bools[i].text);
        assert_int_equal(t.verdict, VERDICT_OK);
        if (stack_top_is_bool(&t.stack, &t.context) != bools[i].is_bool)
            fail_msg("%s: %s bool", bools[i].text, bools[i].is_bool ? "no" : "a");
        stop(&t);
    }
}

/* --- calls of itself -------------------------------------------------------------------------- */

static const struct {
    const char *signature, *text;
    bool itself;
} calls[] = {
    {"void()", "call self", true},
    {"this:void()", "callvirt self", true},
    {"this:void()", "call self_ref", true},
    {"this:void()", "call base", false}, /* mostly the base type's constructor */
    {"void()", "call void()", false},
    {"void()", "call void() M", false},
    {"void()", "call void() M of<int32>", false}, /* another generic type */
    {"void()", "calli void()", false},
    {"void()", "newobj self", false},
    {"void()", "ldftn self", false},
    {"void()", "nop", false},
};

static void method_knows_calls_of_itself(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
        struct track t;
        run(&t, calls[i].signature, calls[i].text);
        if (stack_calls_itself(&t.context, 0) != calls[i].itself)
            fail_msg("%s: %s", calls[i].text, calls[i].itself ? "another" : "itself");
        stop(&t);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(calls_take_and_give_what_their_signatures_say),
    cmocka_unit_test(stack_below_nothing_or_above_its_limit_is_declined),
    cmocka_unit_test(limit_is_reached_but_not_passed),
    cmocka_unit_test(calls_of_nothing_are_declined),
    cmocka_unit_test(method_or_locals_without_signature_are_declined),
    cmocka_unit_test(types_of_locals_are_found_however_many_there_are),
    cmocka_unit_test(references_that_are_never_null_do_not_throw),
    cmocka_unit_test(tests_of_null_say_what_is_not),
    cmocka_unit_test(variables_beyond_the_first_are_not_followed),
    cmocka_unit_test(makers_are_forgotten_where_a_block_is_entered),
    cmocka_unit_test(computed_bools_are_distinguished_from_other_values),
    cmocka_unit_test(method_knows_calls_of_itself),
};
UNIT_TESTS(tests);

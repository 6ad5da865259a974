/* test_reach.c - behind a call that never returns nothing runs; and which calls these are. */
#include "coverage/statements/reach.h"

#include "tests/support/check.h"
#include "tests/support/il_builder.h"

/* Labels of blocks that run, where calls of the method itself never return. */
static void check_reach(const char *text, const char *runs, const char *dead)
{
    struct il_method m;
    struct reach reach;
    struct no_return calls;
    struct module module = {0};
    il_method_open(&m, "void(bool)", text);
    module.md = m.builder.md;
    assert_true(no_return_open(&calls, &module, STR("/nowhere/x.dll"), &m.arena, NULL));
    calls.of_method[IL_METHOD_RID] = 2;
    assert_true(reach_make(&reach, &m.flow, &calls, &m.arena, NULL));
    for (const char *c = runs; *c != '\0'; c++)
        assert_true(reach_runs(&reach, m.flow.blocks[il_block(&m, (char[]){*c, 0})].first));
    for (const char *c = dead; *c != '\0'; c++)
        assert_false(reach_runs(&reach, m.flow.blocks[il_block(&m, (char[]){*c, 0})].first));
    no_return_close(&calls);
    il_method_close(&m);
}

static void nothing_runs_after_a_call_that_never_returns(void **state)
{
    (void)state;
    check_reach("A: ldc.i4.0; call self; B: ldnull; pop; ret", "A", "B");
    check_reach("A: call void(); B: ldnull; pop; ret", "AB", "");
    check_reach("A: ldarg.0; brtrue.s C; B: ldc.i4.0; call self; D: ldnull; pop; ret; C: nop; ret",
                "ABC", "D");
    check_reach("A: ldarg.0; brtrue.s C; B: ldc.i4.0; call self; D: nop; C: nop; ret", "ABC", "D");
}

static void handlers_of_what_runs_run(void **state)
{
    (void)state;
    check_reach(".try A C catch C E; A: ldc.i4.0; call self; B: leave.s E; C: pop; leave.s E;"
                "E: ret",
                "ACE", "B");
    check_reach("A: ldc.i4.0; call self; F: nop; .try B C finally C E; B: nop; leave.s E;"
                "C: endfinally; E: ret",
                "A", "FBCE");
}

static void without_attributes_all_calls_return(void **state)
{
    struct il_method m;
    struct reach reach;
    (void)state;
    il_method_open(&m, "void(bool)", "A: ldc.i4.0; call self; B: ldnull; pop; ret; D: ret");
    assert_true(reach_make(&reach, &m.flow, NULL, &m.arena, NULL));
    assert_true(reach_runs(&reach, m.flow.blocks[il_block(&m, "B")].first));
    assert_false(reach_runs(&reach, m.flow.blocks[il_block(&m, "D")].first));
    il_method_close(&m);
}

static void no_memory_is_reported_wherever_it_ends(void **state)
{
    struct il_method m;
    struct err err;
    bool made = false;
    (void)state;
    il_method_open(&m, "void(bool)", "ldarg.0; brtrue.s E; call void(); E: ret");
    for (size_t limit = 0; !made; limit++) {
        struct arena arena;
        struct reach reach;
        arena_init(&arena, NULL, 0, limit);
        made = reach_make(&reach, &m.flow, NULL, &arena, &err);
        if (!made)
            assert_int_equal(err.code, ERR_LIMIT);
        arena_free(&arena);
        assert_true(limit < 1 << 16);
    }
    il_method_close(&m);
}

/* One type Guard with Fail(), Fail(int) and Warn(); both Fails have the attribute, or one. */
struct guards {
    struct image image;
    struct view root;
    struct module module;
    struct arena arena;
    struct no_return calls;
};

static void begin(struct guards *g, bool both)
{
    struct image *image = &g->image;
    image_begin(image);
    arena_init(&g->arena, NULL, 0, ARENA_NO_LIMIT);
    uint32_t none = image_blob(image, BYTES(0, 0, 1), 3),
             one = image_blob(image, BYTES(0, 1, 1, 8), 4);
    uint32_t self = image_blob(image, BYTES(0x15, 0x12, 2 << 2, 1, 8), 5);
    IMAGE_ROW(image, TypeDef, 0, image_string(image, "<Module>"), 0, 0, 1, 1);
    IMAGE_ROW(image, TypeDef, 0, image_string(image, "Guard"), 0, 0, 1, 1);
    IMAGE_ROW(image, MethodDef, 0, 0, 0, image_string(image, "Fail"), none, 1);
    IMAGE_ROW(image, MethodDef, 0, 0, 0, image_string(image, "Fail"), none, 1);
    IMAGE_ROW(image, MethodDef, 0, 0, 0, image_string(image, "Fail"), one, 1);
    IMAGE_ROW(image, MethodDef, 0, 0, 0, image_string(image, "Warn"), none, 1);
    IMAGE_ROW(image, AssemblyRef, 1, 0, 0, 0, 0, 0, image_string(image, "System.Runtime"), 0, 0);
    IMAGE_ROW(image, TypeRef, 1 << 2 | 2, image_string(image, "DoesNotReturnAttribute"),
              image_string(image, "System.Diagnostics.CodeAnalysis"));
    IMAGE_ROW(image, TypeRef, 1 << 2 | 2, image_string(image, "Environment"),
              image_string(image, "System"));
    IMAGE_ROW(image, TypeSpec, self);
    IMAGE_ROW(image, MemberRef, 1 << 3 | 1, image_string(image, ".ctor"), none);
    IMAGE_ROW(image, MemberRef, 2 << 3 | 1, image_string(image, "FailFast"), none);
    IMAGE_ROW(image, MemberRef, 2 << 3 | 1, image_string(image, "GetValue"), none);
    IMAGE_ROW(image, MemberRef, 1 << 3 | 4, image_string(image, "Fail"), none);
    IMAGE_ROW(image, MemberRef, 1 << 3 | 4, image_string(image, "Fail"), one);
    IMAGE_ROW(image, MemberRef, 1 << 3 | 4, image_string(image, "Warn"), none);
    uint32_t value = image_blob(image, BYTES(1, 0, 0, 0), 4);
    IMAGE_ROW(image, CustomAttribute, 1 << 5, 1 << 3 | 3, value);
    if (both)
        IMAGE_ROW(image, CustomAttribute, 2 << 5, 1 << 3 | 3, value);
    IMAGE_ROW(image, MethodSpec, 4 << 1 | 1, 0);
    g->root = exact_copy(image_metadata(image));
    g->module = (struct module){0};
    assert_true(metadata_open(&g->module.md, g->root, NULL));
    assert_true(no_return_open(&g->calls, &g->module, STR("/nowhere/x.dll"), &g->arena, NULL));
}

static void end(struct guards *g)
{
    no_return_close(&g->calls);
    exact_free(g->root);
    arena_free(&g->arena);
    image_free(&g->image);
}

static void attribute_says_which_never_return(void **state)
{
    (void)state;
    for (unsigned both = 0; both < 2; both++) {
        struct guards g;
        begin(&g, both != 0);
        assert_true(no_return_is(&g.calls, TOKEN(TABLE_MethodDef, 1)));
        assert_int_equal(no_return_is(&g.calls, TOKEN(TABLE_MethodDef, 2)), both);
        assert_false(no_return_is(&g.calls, TOKEN(TABLE_MethodDef, 4)));
        assert_true(no_return_is(&g.calls, TOKEN(TABLE_MemberRef, 2)));  /* Environment.FailFast */
        assert_false(no_return_is(&g.calls, TOKEN(TABLE_MemberRef, 3))); /* .GetValue */
        assert_int_equal(no_return_is(&g.calls, TOKEN(TABLE_MemberRef, 4)), both);
        assert_int_equal(no_return_is(&g.calls, TOKEN(TABLE_MethodSpec, 1)), both);
        assert_false(no_return_is(&g.calls, TOKEN(TABLE_MemberRef, 5))); /* Fail(int) */
        assert_false(no_return_is(&g.calls, TOKEN(TABLE_MemberRef, 6)));
        end(&g);
    }
}

static void tokens_that_lead_nowhere_return(void **state)
{
    static const uint32_t tokens[] = {0,          0x06000000, 0x0600FFFF, 0x0A000000,
                                      0x0A00FFFF, 0x2B00FFFF, 0x11000001, 0xFFFFFFFF};
    struct guards g;
    (void)state;
    begin(&g, true);
    for (size_t i = 0; i < ARRAY_LEN(tokens); i++)
        assert_false(no_return_is(&g.calls, tokens[i]));
    end(&g);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_runs_after_a_call_that_never_returns),
    cmocka_unit_test(handlers_of_what_runs_run),
    cmocka_unit_test(without_attributes_all_calls_return),
    cmocka_unit_test(no_memory_is_reported_wherever_it_ends),
    cmocka_unit_test(attribute_says_which_never_return),
    cmocka_unit_test(tokens_that_lead_nowhere_return),
};
UNIT_TESTS(tests);

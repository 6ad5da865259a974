/* test_anchor.c - by which variable probes find their shard. */
#include "rewriter/anchor.h"

#include <stdio.h>
#include <string.h>

#include "metadata/sig.h"
#include "tests/support/check.h"
#include "tests/support/il_builder.h"

enum {
    SIGNATURES_MAX = 8
};

/* A method, and other local signatures in the same file. */
struct example {
    const char *signature, *text;
    const char *others[SIGNATURES_MAX]; /* what `.locals` takes */
    bool optimised;
};

struct world {
    struct il_method m;
    struct spare_locals spare;
    struct anchor anchor;
};

static void open_example(struct world *w, const struct example *example)
{
    struct il_builder *b = &w->m.builder;
    struct arena *arena = &w->m.arena;
    arena_init(arena, NULL, 0, ARENA_NO_LIMIT);
    il_begin(b, example->signature);
    w->m.body = il_assemble(b, example->text);
    for (size_t i = 0; i < SIGNATURES_MAX && example->others[i] != NULL; i++) {
        char text[200];
        (void)snprintf(text, sizeof text, ".locals %s; ret", example->others[i]);
        (void)il_add_method(b, "void()", text);
    }
    assert_true(metadata_open(&b->md, image_metadata(&b->image), NULL));
    b->md.optimised = example->optimised;
    spare_locals_find(&w->spare, &b->md, arena);
    assert_int_equal(flow_build(&w->m.flow, w->m.body, &b->md, NULL, IL_METHOD_RID, arena),
                     VERDICT_OK);
    assert_true(plan_make(&w->m.plan, &w->m.flow, arena));
    anchor_choose(&w->anchor, &w->m.flow, &w->m.plan, &w->spare, arena);
}

/* The types of the signature that the header gets begin with the method's own. */
static void check_signature(const struct world *w)
{
    struct view types;
    uint32_t count = 0;
    const struct stack_context *context = &w->m.flow.context;
    struct view own = context->local_types;
    assert_true(sig_locals(&count, &types, context->md, w->anchor.local_sig, NULL));
    assert_true(count >= context->local_count && types.len >= own.len);
    assert_true(own.len == 0 || memcmp(types.data, own.data, own.len) == 0);
    uint32_t arguments = context->sig.param_count + ((context->sig.flags & SIG_HAS_THIS) != 0);
    if (w->anchor.kind == ANCHOR_ARGUMENT)
        assert_true(w->anchor.variable < arguments);
    if (w->anchor.kind == ANCHOR_LOCAL)
        assert_true(w->anchor.variable < count);
    assert_true(w->anchor.base_local == NO_INDEX ||
                (w->anchor.base_local < count && w->anchor.base_local >= context->local_count));
}

static void expect(const struct example *example, enum anchor_kind kind, uint32_t variable,
                   uint32_t base_local)
{
    struct world w;
    open_example(&w, example);
    check_signature(&w);
    assert_int_equal(w.anchor.kind, kind);
    if (kind != ANCHOR_NONE)
        assert_int_equal(w.anchor.variable, variable);
    assert_int_equal(w.anchor.base_local, base_local);
    il_method_close(&w.m);
}

/* Two counters, no call. */
#define BRANCH "ldsfld object F; brtrue E; nop; E: ret"

static void method_without_a_variable_has_no_anchor(void **state)
{
    (void)state;
    expect(&(struct example){"void()", BRANCH, {NULL}, false}, ANCHOR_NONE, 0, NO_INDEX);
    expect(&(struct example){"void()", BRANCH, {NULL}, true}, ANCHOR_NONE, 0, NO_INDEX);
}

static void another_signature_of_the_file_lends_its_locals(void **state)
{
    (void)state;
    /* an int32 is only an address; an int64 keeps the base, too */
    expect(&(struct example){"void()", "call void(); call void(); ret", {"int32"}, true},
           ANCHOR_LOCAL, 0, NO_INDEX);
    expect(&(struct example){"void()", "call void(); call void(); ret", {"int64"}, true},
           ANCHOR_LOCAL, 0, 0);
    expect(&(struct example){"void()", "call void(); call void(); ret", {"nint"}, false},
           ANCHOR_LOCAL, 0, 0);
    /* after the method's own */
    expect(&(struct example){"void()",
                             ".locals string; call void(); call void(); ret",
                             {"string int32", "string nint int32", "int64"},
                             true},
           ANCHOR_LOCAL, 1, 1);
}

static void base_beside_its_dummy_has_a_register_where_that_pays(void **state)
{
    static const char *const others[] = {"int32 int64"};
    (void)state;
    /* across calls it stays in memory, but for loops */
    expect(&(struct example){"void()", "call void(); call void(); ret", {others[0]}, true},
           ANCHOR_LOCAL, 1, 1);
    expect(&(struct example){"void()", BRANCH, {others[0]}, true}, ANCHOR_LOCAL, 0, 1);
    expect(
        &(struct example){
            "void(bool)", "A: call void(); ldarg.0; brtrue A; ret", {others[0]}, true},
        ANCHOR_LOCAL, 0, 1);
    expect(&(struct example){"void()", BRANCH, {others[0]}, false}, ANCHOR_LOCAL, 1, 1);
}

static void one_probe_looks_up_once_and_keeps_nothing(void **state)
{
    (void)state;
    expect(&(struct example){"void()", "ret", {"int32 int64"}, true}, ANCHOR_LOCAL, 0, NO_INDEX);
    expect(&(struct example){"void()", "ret", {"int64"}, true}, ANCHOR_LOCAL, 0, NO_INDEX);
}

/* A type of the file would be loaded for it, or a generic one has no meaning there. */
static void only_plain_locals_are_lent(void **state)
{
    static const char *const others[] = {"class", "generic", "!!0", "class int32 class"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        expect(&(struct example){"void()", BRANCH, {others[i]}, true}, ANCHOR_NONE, 0, NO_INDEX);
    expect(&(struct example){"void()", BRANCH, {"string object int32"}, true}, ANCHOR_LOCAL, 2,
           NO_INDEX);
    expect(&(struct example){"void()", BRANCH, {"string object"}, true}, ANCHOR_NONE, 0, NO_INDEX);
    /* each one costs a place in the frame */
    expect(&(struct example){"void()", BRANCH, {"int32 int32 int32 int32 int32"}, true},
           ANCHOR_NONE, 0, NO_INDEX);
}

static void unoptimised_code_uses_what_it_has_before_it_borrows_an_address(void **state)
{
    (void)state;
    expect(&(struct example){"void(bool)", BRANCH, {"int32"}, false}, ANCHOR_ARGUMENT, 0, NO_INDEX);
    expect(&(struct example){"void()", ".locals string; " BRANCH, {"string int32"}, false},
           ANCHOR_LOCAL, 0, NO_INDEX);
    /* the JIT would copy `this` */
    expect(&(struct example){"this:void()", BRANCH, {"int32"}, false}, ANCHOR_LOCAL, 0, NO_INDEX);
    expect(&(struct example){"this:void()", BRANCH, {NULL}, false}, ANCHOR_ARGUMENT, 0, NO_INDEX);
}

static void variable_that_is_used_least_serves(void **state)
{
    (void)state;
    expect(
        &(struct example){
            "void(int32,int32)", "ldarg.0; ldarg.0; ldarg.1; pop; pop; pop; ret", {NULL}, true},
        ANCHOR_ARGUMENT, 1, NO_INDEX);
    /* one use in a loop is more than three outside */
    expect(&(struct example){"void(bool,int32)",
                             "A: ldarg.0; brtrue A; ldarg.1; ldarg.1; ldarg.1; pop; pop; pop; ret",
                             {NULL},
                             true},
           ANCHOR_ARGUMENT, 1, NO_INDEX);
    /* what is in memory already costs nothing more */
    expect(&(struct example){"void(int32)",
                             ".locals int32; ldloca.s 0; pop; ldloca.s 0; pop; ldarg.0; pop; ret",
                             {NULL},
                             true},
           ANCHOR_LOCAL, 0, NO_INDEX);
}

static void objects_come_after_numbers(void **state)
{
    (void)state;
    expect(&(struct example){"void(object,int32)", "ldarg.1; ldarg.1; pop; pop; ret", {NULL}, true},
           ANCHOR_ARGUMENT, 1, NO_INDEX);
    expect(&(struct example){"void(object)", "ret", {NULL}, true}, ANCHOR_ARGUMENT, 0, NO_INDEX);
    expect(&(struct example){"this:void(object)", "ret", {NULL}, true}, ANCHOR_ARGUMENT, 1,
           NO_INDEX);
}

static void method_that_may_change_its_thread_keeps_nothing(void **state)
{
    struct world w;
    (void)state;
    open_example(&w, &(struct example){"void()", BRANCH, {"int32 int64"}, true});
    assert_int_equal(w.anchor.base_local, 1);
    w.m.flow.context.impl_flags |= IMPL_ASYNC;
    anchor_choose(&w.anchor, &w.m.flow, &w.m.plan, &w.spare, &w.m.arena);
    assert_int_equal(w.anchor.kind, ANCHOR_LOCAL);
    assert_int_equal(w.anchor.base_local, NO_INDEX);
    il_method_close(&w.m);
}

static void own_variables_alone_serve_where_nothing_is_lent(void **state)
{
    struct world w;
    (void)state;
    open_example(&w, &(struct example){"void(bool)", BRANCH, {"int64"}, true});
    assert_int_equal(w.anchor.kind, ANCHOR_LOCAL);
    anchor_choose(&w.anchor, &w.m.flow, &w.m.plan, NULL, &w.m.arena);
    assert_int_equal(w.anchor.kind, ANCHOR_ARGUMENT);
    assert_int_equal(w.anchor.local_sig, w.m.flow.body.local_sig);
    il_method_close(&w.m);
}

static void modules_know_whether_they_serve_every_method(void **state)
{
    static const struct {
        const char *other;
        bool serves;
    } cases[] = {
        {"int32", true}, {"string int32", true}, {"class int32", false}, {"object", false}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct world w;
        open_example(&w, &(struct example){"void()", "ret", {cases[i].other}, false});
        assert_int_equal(spare_locals_serve_all(&w.spare), cases[i].serves);
        il_method_close(&w.m);
    }
}

static void no_memory_is_no_anchor(void **state)
{
    struct world w;
    struct arena none;
    (void)state;
    open_example(&w, &(struct example){"void(bool)", BRANCH, {"int64"}, true});
    arena_init(&none, NULL, 0, 0);
    spare_locals_find(&w.spare, &w.m.builder.md, &none);
    assert_int_equal(w.spare.count, 0);
    anchor_choose(&w.anchor, &w.m.flow, &w.m.plan, &w.spare, &none);
    assert_int_equal(w.anchor.kind, ANCHOR_NONE);
    arena_free(&none);
    il_method_close(&w.m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(method_without_a_variable_has_no_anchor),
    cmocka_unit_test(another_signature_of_the_file_lends_its_locals),
    cmocka_unit_test(base_beside_its_dummy_has_a_register_where_that_pays),
    cmocka_unit_test(one_probe_looks_up_once_and_keeps_nothing),
    cmocka_unit_test(only_plain_locals_are_lent),
    cmocka_unit_test(unoptimised_code_uses_what_it_has_before_it_borrows_an_address),
    cmocka_unit_test(variable_that_is_used_least_serves),
    cmocka_unit_test(objects_come_after_numbers),
    cmocka_unit_test(method_that_may_change_its_thread_keeps_nothing),
    cmocka_unit_test(own_variables_alone_serve_where_nothing_is_lent),
    cmocka_unit_test(modules_know_whether_they_serve_every_method),
    cmocka_unit_test(no_memory_is_no_anchor),
};
UNIT_TESTS(tests);

/* test_nothrow.c - which methods certainly return: what each may and may not have in it, and
 * who may call it. */
#include "rewriter/nothrow.h"

#include <string.h>

#include "tests/support/check.h"
#include "tests/support/il_builder.h"

enum {
    STATIC = 0x16, /* public, static */
    INSTANCE = 0x06,
    VIRTUAL = 0x46,
    FINAL = 0x66,
    CONSTRUCTOR = 0x1806,
    CLASS_CONSTRUCTOR = 0x1811,
    SYNCHRONIZED = 0x20,
    NO_INLINING = 0x8,
    METHODS_MAX = 8,
};

/* Row 1 is not a method of the table; the others are as written. */
struct method {
    uint32_t flags, impl_flags;
    const char *signature, *text;
};

struct made {
    struct il_builder b;
    struct view bodies[METHODS_MAX];
    struct nothrow nothrow;
    struct arena arena, scratch;
};

static struct view body_of(const void *made, uint32_t rid)
{
    return ((const struct made *)made)->bodies[rid - 1];
}

static void find_in(struct made *m, const char *base, const struct method *methods, size_t count)
{
    memset(m, 0, sizeof *m);
    arena_init(&m->arena, NULL, 0, ARENA_NO_LIMIT);
    arena_init(&m->scratch, NULL, 0, ARENA_NO_LIMIT);
    il_begin(&m->b, "void()");
    if (base != NULL) { /* a type for the methods that follow */
        uint32_t rid = IMAGE_ROW(&m->b.image, TypeRef, 1 << 2 | 2, image_string(&m->b.image, base),
                                 image_string(&m->b.image, "System"));
        IMAGE_ROW(&m->b.image, TypeDef, 0, image_string(&m->b.image, "T"), 0, rid << 2 | 1, 1, 2);
    }
    for (size_t i = 0; i < count && methods[i].text != NULL; i++)
        (void)il_add_method_as(&m->bodies[i + 1], &m->b, methods[i].flags, methods[i].impl_flags,
                               methods[i].signature, methods[i].text);
    (void)il_assemble(&m->b, "ret");
    assert_true(find_nothrow(&m->nothrow, &m->b.md, body_of, m, &m->arena, &m->scratch));
}

static void find(struct made *m, const struct method *methods, size_t count)
{
    find_in(m, NULL, methods, count);
}

static void stop(struct made *m)
{
    arena_free(&m->arena);
    arena_free(&m->scratch);
    il_free(&m->b);
}

static bool calls(struct made *m, enum opcode op, uint32_t rid)
{
    return nothrow_call(&m->nothrow, &m->b.md,
                        &(struct instr){.op = (uint8_t)op, .operand = 0x06000000 | rid});
}

static const struct {
    const char *name;
    bool nothrow;
    struct method method;
} alone[] = {
    {"getter", true, {INSTANCE, 0, "this:int32()", "ldarg.0; ldfld int32 F own; ret"}},
    {"getter of an unoptimised build",
     true,
     {INSTANCE, 0, "this:int32()",
      ".locals int32; nop; ldarg.0; ldfld int32 F own; stloc.0; br.s E; E: ldloc.0; ret"}},
    {"setter", true, {INSTANCE, 0, "this:void(int32)", "ldarg.0; ldarg.1; stfld int32 F own; ret"}},
    {"setter that may not be inlined",
     true,
     {INSTANCE, NO_INLINING, "this:void(int32)", "ldarg.0; ldarg.1; stfld int32 F own; ret"}},
    {"constant", true, {STATIC, 0, "int32()", "ldc.i4.3; ret"}},
    {"comparison",
     true,
     {INSTANCE, 0, "this:bool(int32)", "ldarg.0; ldfld int32 F own; ldarg.1; cgt; ret"}},
    {"choice",
     true,
     {INSTANCE, 0, "this:int32(bool)",
      "ldarg.1; brtrue.s T; ldc.i4.1; ret; T: ldarg.0; ldfld int32 F own; ret"}},
    {"constructor",
     true,
     {CONSTRUCTOR, 0, "this:void(int32)",
      "ldarg.0; ldarg.1; stfld int32 F own; ldarg.0; call object; ret"}},
    {"final override", true, {FINAL, 0, "this:int32()", "ldarg.0; ldfld int32 F own; ret"}},
    {"field of an argument",
     false,
     {STATIC, 0, "int32(object)", "ldarg.0; ldfld int32 F own; ret"}},
    {"field of what a field refers to",
     false,
     {INSTANCE, 0, "this:int32()", "ldarg.0; ldfld object F own; ldfld int32 F own; ret"}},
    {"field of this, which was replaced",
     false,
     {INSTANCE, 0, "this:int32(object)", "ldarg.1; starg.s 0; ldarg.0; ldfld int32 F own; ret"}},
    {"field of a generic or another module's type",
     false,
     {INSTANCE, 0, "this:int32()", "ldarg.0; ldfld int32; ret"}},
    {"static field", false, {STATIC, 0, "int32()", "ldsfld int32 F own; ret"}},
    {"division", false, {STATIC, 0, "int32(int32)", "ldc.i4.1; ldarg.0; div; ret"}},
    {"checked addition", false, {STATIC, 0, "int32(int32)", "ldarg.0; dup; add.ovf; ret"}},
    {"element", false, {STATIC, 0, "int32(object)", "ldarg.0; ldc.i4.0; ldelem.i4; ret"}},
    {"cast", false, {STATIC, 0, "object(object)", "ldarg.0; castclass object; ret"}},
    {"type that must be loaded",
     false,
     {STATIC, 0, "object(object)", "ldarg.0; isinst object; ret"}},
    {"allocation of an array", false, {STATIC, 0, "object(int32)", "ldarg.0; newarr object; ret"}},
    {"throw", false, {STATIC, 0, "void()", "ldnull; throw"}},
    {"throw on one way",
     false,
     {STATIC, 0, "void(bool)", "ldarg.0; brtrue.s T; ret; T: ldnull; throw"}},
    {"loop", false, {STATIC, 0, "void(bool)", "L: ldarg.0; brtrue.s L; ret"}},
    {"endless loop", false, {STATIC, 0, "void()", "L: br.s L"}},
    {"call of itself", false, {STATIC, 0, "void()", "call self; ret"}},
    {"call of another module", false, {STATIC, 0, "void()", "call void(); ret"}},
    {"handler",
     false,
     {STATIC, 0, "void()", ".try A B finally B E; A: leave.s E; B: endfinally; E: ret"}},
    {"synchronized",
     false,
     {INSTANCE, SYNCHRONIZED, "this:int32()", "ldarg.0; ldfld int32 F own; ret"}},
    {"jmp", false, {STATIC, 0, "void()", "jmp self"}},
    {"tail call", false, {STATIC, 0, "void()", "tail.; call self; ret"}},
};

static void method_is_nothrow_if_nothing_in_it_can_go_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(alone); i++) {
        struct made m;
        find(&m, &alone[i].method, 1);
        if (calls(&m, OP_CALL, 2) != alone[i].nothrow)
            fail_msg("%s: %s", alone[i].name, alone[i].nothrow ? "not harmless" : "harmless");
        stop(&m);
    }
}

#define GETTER "this:int32()", "ldarg.0; ldfld int32 F own; ret"

static void virtual_method_is_nothrow_only_by_its_token(void **state)
{
    static const struct method methods[] = {
        {VIRTUAL, 0, GETTER}, {FINAL, 0, GETTER}, {INSTANCE, 0, GETTER}};
    struct made m;
    (void)state;
    find(&m, methods, ARRAY_LEN(methods));
    assert_true(calls(&m, OP_CALL, 2));
    assert_false(calls(&m, OP_CALLVIRT, 2));
    assert_true(calls(&m, OP_CALLVIRT, 3));
    assert_true(calls(&m, OP_CALLVIRT, 4));
    stop(&m);
}

static void callers_of_nothrow_methods_are_nothrow_in_any_order(void **state)
{
    static const struct method methods[] = {
        {INSTANCE, 0, "this:int32()", "ldarg.0; call method 3; ret"},
        {INSTANCE, 0, "this:int32()", "ldarg.0; call method 4; ret"},
        {INSTANCE, 0, GETTER},
        {STATIC, 0, "void()", "call method 6; ret"},
        {STATIC, 0, "void()", "call method 5; ret"},
    };
    struct made m;
    (void)state;
    find(&m, methods, ARRAY_LEN(methods));
    assert_true(calls(&m, OP_CALL, 2));
    assert_true(calls(&m, OP_CALL, 3));
    assert_false(calls(&m, OP_CALL, 5)); /* each calls the other */
    assert_false(calls(&m, OP_CALL, 6));
    stop(&m);
}

static void class_constructor_may_run_at_static_calls_and_new(void **state)
{
    static const struct method methods[] = {
        {INSTANCE, 0, GETTER},
        {STATIC, 0, "int32()", "ldc.i4.1; ret"},
        {CONSTRUCTOR, 0, "this:void()", "ldarg.0; call object; ret"},
        {CLASS_CONSTRUCTOR, 0, "void()", "ret"},
    };
    struct made m;
    (void)state;
    find(&m, methods, ARRAY_LEN(methods));
    assert_true(calls(&m, OP_CALLVIRT, 2));
    assert_false(calls(&m, OP_CALL, 3));
    assert_false(calls(&m, OP_NEWOBJ, 4));
    stop(&m);
    find(&m, methods, ARRAY_LEN(methods) - 1);
    assert_true(calls(&m, OP_CALL, 3));
    assert_true(calls(&m, OP_NEWOBJ, 4));
    stop(&m);
}

static void class_constructor_may_run_at_any_call_of_a_structure(void **state)
{
    static const struct method methods[] = {{INSTANCE, 0, GETTER},
                                            {CLASS_CONSTRUCTOR, 0, "void()", "ret"}};
    static const struct {
        const char *base;
        size_t methods;
        bool nothrow;
    } cases[] = {{"ValueType", 2, false}, {"ValueType", 1, true}, {"Object", 2, true}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct made m;
        find_in(&m, cases[i].base, methods, cases[i].methods);
        assert_int_equal(calls(&m, OP_CALL, 2), cases[i].nothrow);
        stop(&m);
    }
}

static void tokens_that_lead_nowhere_are_not_nothrow(void **state)
{
    static const uint32_t tokens[] = {0x06000000, 0x06000063, 0x0A000001, 0x0A000063, 0x2B000001};
    static const struct method methods[] = {{INSTANCE, 0, GETTER}};
    struct made m;
    (void)state;
    find(&m, methods, 1);
    for (size_t i = 0; i < ARRAY_LEN(tokens); i++)
        assert_false(nothrow_call(&m.nothrow, &m.b.md,
                                  &(struct instr){.op = OP_CALL, .operand = tokens[i]}));
    assert_false(
        nothrow_call(NULL, &m.b.md, &(struct instr){.op = OP_CALL, .operand = 0x06000002}));
    stop(&m);
}

static void no_memory_is_reported_wherever_it_ends(void **state)
{
    static const struct method methods[] = {{INSTANCE, 0, GETTER}};
    struct made m;
    (void)state;
    find(&m, methods, 1);
    for (size_t limit = 0; limit < 8; limit++) {
        struct nothrow out;
        struct arena small;
        arena_init(&small, NULL, 0, limit);
        bool found = find_nothrow(&out, &m.b.md, body_of, &m, &small, &m.scratch);
        assert_int_equal(found, limit >= 2 + 2); /* a byte a method and a byte a type */
        arena_free(&small);
    }
    stop(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(method_is_nothrow_if_nothing_in_it_can_go_wrong),
    cmocka_unit_test(virtual_method_is_nothrow_only_by_its_token),
    cmocka_unit_test(callers_of_nothrow_methods_are_nothrow_in_any_order),
    cmocka_unit_test(class_constructor_may_run_at_static_calls_and_new),
    cmocka_unit_test(class_constructor_may_run_at_any_call_of_a_structure),
    cmocka_unit_test(tokens_that_lead_nowhere_are_not_nothrow),
    cmocka_unit_test(no_memory_is_reported_wherever_it_ends),
};
UNIT_TESTS(tests);

/* test_user_method_map.c - what compilers make is of the method that uses it, and has the names of
 * the source. */
#include "coverage/names/compiler_name.h"
#include "coverage/names/user_method_map.h"
#include "coverage/names/username.h"
#include "tests/support/check.h"
#include "tests/support/image.h"

enum {
    MODULE = 1, /* types */
    USER,
    INNER,
    CLOSURES,
    DEEP,
    LATE,
    FILE_TYPE,
    NO_FILE_TYPE,
    STARTUP,
    METHOD_COUNT = 10,
};

#define HASH "0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF"

/* Each type has the methods from its row to that of the next. */
static const struct {
    const char *space, *name;
    uint32_t first_method;
} types[] = {
    {"", "<Module>", 1},
    {"N", "Mod", 1},                     /* outer, run */
    {"", "inner@5", 3},                  /* Invoke */
    {"", "_Closure$__", 4},              /* _Lambda$__1-0, _Lambda$__2-0 */
    {"", "deep@7", 6},                   /* Invoke */
    {"", "late@9", 7},                   /* Invoke */
    {"N", "<File>F" HASH "__Local", 8},  /* M */
    {"N", "<File>F" HASH "_Local", 9},   /* <Main>$ */
    {"<StartupCode$App>", "$N.Mod", 10}, /* main@ */
    {"<StartupCode$App>.$N", "Deep", 11},
    {"<StartupCode$App>", "Other", 11},
    {"<StartupCode$App>N", "Mod", 11},
};

static const char *const methods[METHOD_COUNT] = {
    "outer",  "run",    "Invoke", "_Lambda$__1-0", "_Lambda$__2-0",
    "Invoke", "Invoke", "M",      "<Main>$",       "main@"};

struct fixture {
    struct image image;
    struct view root;
    struct module module;
    struct user_method_map view;
    struct arena arena;
};

static void begin(struct fixture *f)
{
    image_begin(&f->image);
    arena_init(&f->arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        IMAGE_ROW(&f->image, TypeDef, 0, image_string(&f->image, types[i].name),
                  image_string(&f->image, types[i].space), 0, 1, types[i].first_method);
    uint32_t signature = image_blob(&f->image, BYTES(0, 0, 1), 3);
    for (size_t i = 0; i < METHOD_COUNT; i++)
        IMAGE_ROW(&f->image, MethodDef, 0, 0, 0, image_string(&f->image, methods[i]), signature, 1);
    for (uint32_t type = INNER; type <= LATE; type++)
        IMAGE_ROW(&f->image, NestedClass, type, USER);
    f->root = exact_copy(image_metadata(&f->image));
    f->module = (struct module){0};
    assert_true(metadata_open(&f->module.md, f->root, NULL));
    assert_true(user_method_map_open(&f->view, &f->module, &f->arena, NULL));
}

static void end(struct fixture *f)
{
    exact_free(f->root);
    arena_free(&f->arena);
    image_free(&f->image);
}

static void note(struct fixture *f, uint32_t rid, uint8_t op, uint32_t token)
{
    struct instr instr = {.op = op, .operand = token};
    struct il il = {.instrs = &instr, .count = 1};
    assert_true(user_method_map_note(&f->view, rid, &il, NULL));
}

static uint32_t user(const struct fixture *f, uint32_t rid)
{
    return f->view.methods[rid - 1].user_rid;
}

static void what_is_made_is_of_the_method_that_uses_it(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    note(&f, 1, OP_INITOBJ, TOKEN(TABLE_TypeDef, INNER));
    note(&f, 1, OP_LDFTN, TOKEN(TABLE_MethodDef, 4));
    note(&f, 2, OP_LDFTN, TOKEN(TABLE_MethodDef, 5)); /* of the same type */
    note(&f, 3, OP_NEWOBJ, TOKEN(TABLE_MethodDef, 6));
    note(&f, 6, OP_NEWOBJ, TOKEN(TABLE_MethodDef, 6)); /* itself */
    note(&f, 2, OP_NEWOBJ, TOKEN(TABLE_MethodDef, 7));
    note(&f, 1, OP_CALL, TOKEN(TABLE_MethodDef, 2)); /* a call makes nothing */
    note(&f, 1, OP_CALL, TOKEN(TABLE_MethodDef, 8)); /* nor is a file type made */
    assert_true(user_method_map_fold(&f.view, NULL));
    static const uint32_t expected[METHOD_COUNT] = {1, 2, 1, 1, 2, 1, 2, 8, 9, 10};
    for (uint32_t rid = 1; rid <= METHOD_COUNT; rid++)
        assert_int_equal(user(&f, rid), expected[rid - 1]);
    end(&f);
}

static void what_nothing_uses_is_its_own(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    assert_true(user_method_map_fold(&f.view, NULL));
    for (uint32_t rid = 1; rid <= METHOD_COUNT; rid++)
        assert_int_equal(user(&f, rid), rid);
    assert_int_equal(compiler_type_user(&f.module.md, INNER), USER);
    assert_int_equal(compiler_type_user(&f.module.md, FILE_TYPE), FILE_TYPE);
    end(&f);
}

static void two_that_use_each_other_are_of_who_uses_one(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    note(&f, 3, OP_NEWOBJ, TOKEN(TABLE_MethodDef, 6));
    note(&f, 6, OP_NEWOBJ, TOKEN(TABLE_MethodDef, 3));
    assert_true(user_method_map_fold(&f.view, NULL));
    assert_int_equal(user(&f, 3), 3);
    note(&f, 2, OP_NEWOBJ, TOKEN(TABLE_MethodDef, 6)); /* from outside */
    assert_true(user_method_map_fold(&f.view, NULL));
    assert_int_equal(user(&f, 3), 2);
    assert_int_equal(user(&f, 6), 2);
    end(&f);
}

static void tokens_that_lead_nowhere_are_nothing(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    static const uint32_t tokens[] = {0,          0x02000000, 0x0200FFFF, 0x06000000, 0x0600FFFF,
                                      0x0A000001, 0x1B000001, 0x2B000001, 0x04000001, 0xFFFFFFFF};
    for (size_t i = 0; i < ARRAY_LEN(tokens); i++)
        note(&f, 1, OP_LDTOKEN, tokens[i]);
    assert_true(user_method_map_fold(&f.view, NULL));
    assert_int_equal(user(&f, 3), 3);
    end(&f);
}

static void names_are_those_of_the_source(void **state)
{
    static const struct {
        uint32_t type;
        const char *name;
    } expected[] = {
        {USER, "N.Mod"},
        {INNER, "N.Mod/inner@5"},
        {FILE_TYPE, "N.Local"},
        {NO_FILE_TYPE, "N.<File>F" HASH "_Local"},
        {STARTUP, "N.Mod"},
        {STARTUP + 1, "N.Deep"},
        {STARTUP + 2, "<StartupCode$App>.Other"},
        {STARTUP + 3, "<StartupCode$App>N.Mod"},
    };
    struct fixture f;
    struct str name;
    (void)state;
    begin(&f);
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        assert_true(username_type(&name, &f.module.md, expected[i].type, &f.arena, NULL));
        assert_str(name, expected[i].name);
    }
    assert_true(username_method(&name, &f.module.md, 1, &f.arena, NULL));
    assert_str(name, "outer");
    assert_true(username_method(&name, &f.module.md, 9, &f.arena, NULL));
    assert_str(name, "Main");
    assert_true(username_method(&name, &f.module.md, 10, &f.arena, NULL));
    assert_str(name, "main");
    end(&f);
}

static uint32_t attribute_type(struct image *image, const char *name)
{
    uint32_t type = IMAGE_ROW(image, TypeRef, 1 << 2 | 2, image_string(image, name),
                              image_string(image, "System.Runtime.CompilerServices"));
    uint32_t constructor =
        IMAGE_ROW(image, MemberRef, type << 3 | 1, image_string(image, ".ctor"), 0);
    return constructor << 3 | 3;
}

/* union U(A), a class with the attribute and a constructor of its own, record R(int Value) */
static void value_of_a_union_is_the_compilers(void **state)
{
    static const struct {
        bool is_union, makes_constructor, is_the_compilers;
    } kinds[] = {{true, true, true}, {true, false, false}, {false, true, false}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct image image;
        struct metadata md;
        image_begin(&image);
        image.sorted = 0;
        IMAGE_ROW(&image, TypeDef, 0, image_string(&image, "U"), 0, 0, 1, 1);
        IMAGE_ROW(&image, MethodDef, 0, 0, 0, image_string(&image, "get_Value"), 0, 1);
        IMAGE_ROW(&image, MethodDef, 0, 0, 0, image_string(&image, ".ctor"), 0, 1);
        uint32_t generated = attribute_type(&image, "CompilerGeneratedAttribute");
        IMAGE_ROW(&image, CustomAttribute, 1 << 5, generated, 0);
        if (kinds[i].makes_constructor)
            IMAGE_ROW(&image, CustomAttribute, 2 << 5, generated, 0);
        if (kinds[i].is_union)
            IMAGE_ROW(&image, CustomAttribute, 1 << 5 | 3, attribute_type(&image, "UnionAttribute"),
                      0);
        assert_true(metadata_open(&md, image_metadata(&image), NULL));
        assert_int_equal(synthesized_method_is(&md, 1), kinds[i].is_the_compilers);
        image_free(&image);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_made_is_of_the_method_that_uses_it),
    cmocka_unit_test(what_nothing_uses_is_its_own),
    cmocka_unit_test(two_that_use_each_other_are_of_who_uses_one),
    cmocka_unit_test(tokens_that_lead_nowhere_are_nothing),
    cmocka_unit_test(names_are_those_of_the_source),
    cmocka_unit_test(value_of_a_union_is_the_compilers),
};
UNIT_TESTS(tests);

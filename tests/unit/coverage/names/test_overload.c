/* test_overload.c - which of several methods F contains a local function: what calls it, what other
 * functions of F say, its ordinal, its lines. */
#include "coverage/names/user_method_map.h"
#include "tests/support/check.h"
#include "tests/support/image.h"

enum {
    C = 2, /* the type */
    F1 = 1,
    G,
    F2,
    F3,
    OF_1, /* local functions: of ordinals 1, 4 and 6 */
    OF_4,
    OF_6,
    ALSO_OF_4,
    CLOSURE,
    MOVE_NEXT,
    METHOD_COUNT = MOVE_NEXT
};

static const char *const names[METHOD_COUNT] = {
    "F",           "G",           "F",         "F",       "<F>g__L|1_0",
    "<F>g__L|4_0", "<F>g__L|6_0", "<F>b__4_1", "<F>b__0", "MoveNext"};

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
    static const struct {
        const char *name;
        uint32_t first_method;
    } types[] = {
        {"<Module>", 1}, {"C`1", 1}, {"<>c__DisplayClass6_0", CLOSURE}, {"<G>d__2", MOVE_NEXT}};
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        IMAGE_ROW(&f->image, TypeDef, 0, image_string(&f->image, types[i].name), 0, 0, 1,
                  types[i].first_method);
    uint32_t signature = image_blob(&f->image, BYTES(0, 0, 1), 3);
    for (size_t i = 0; i < METHOD_COUNT; i++)
        IMAGE_ROW(&f->image, MethodDef, 0, 0, 0, image_string(&f->image, names[i]), signature, 1);
    IMAGE_ROW(&f->image, NestedClass, C + 1, C);
    IMAGE_ROW(&f->image, NestedClass, C + 2, C);
    /* class, TypeDef 2, one argument: C<int> */
    uint32_t closed = image_blob(&f->image, BYTES(0x15, 0x12, 0x08, 1, 8), 5);
    IMAGE_ROW(&f->image, TypeSpec, closed);
    uint32_t type_spec = 1 << 3 | 4; /* MemberRefParent */
    IMAGE_ROW(&f->image, MemberRef, type_spec, image_string(&f->image, names[OF_4 - 1]), signature);
    IMAGE_ROW(&f->image, MemberRef, type_spec, image_string(&f->image, "F"), signature);
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

static void note_lines(struct fixture *f, uint32_t rid, uint32_t first, uint32_t last)
{
    struct seq_point point = {
        .document = 1, .start_line = first, .end_line = last, .start_column = 1, .end_column = 2};
    struct seq_points points = {&point, 1};
    user_method_map_note_lines(&f->view, rid, &points);
}

static uint32_t user(const struct fixture *f, uint32_t rid)
{
    return f->view.methods[rid - 1].user_rid;
}

static void who_calls_it_contains_it(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    note(&f, F2, OP_LDFTN, TOKEN(TABLE_MethodDef, OF_1)); /* whatever the ordinal */
    note(&f, F3, OP_CALL, TOKEN(TABLE_MemberRef, 1));     /* C<int>.<F>g__L|4_0 */
    note(&f, F1, OP_CALL, TOKEN(TABLE_MemberRef, 2));
    note(&f, OF_4, OP_CALL, TOKEN(TABLE_MethodDef, OF_6));
    note(&f, OF_6, OP_NEWOBJ, TOKEN(TABLE_MethodDef, CLOSURE));
    note_lines(&f, F1, 1, 100); /* nor do lines matter */
    note_lines(&f, OF_1, 50, 50);
    assert_true(user_method_map_fold(&f.view, NULL));
    assert_int_equal(user(&f, OF_1), F2);
    assert_int_equal(user(&f, OF_4), F3);
    assert_int_equal(user(&f, OF_6), F3);
    assert_int_equal(user(&f, CLOSURE), F3);
    assert_int_equal(user(&f, F1), F1);
    end(&f);
}

static void what_calls_itself_has_no_caller(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    note(&f, OF_4, OP_CALL, TOKEN(TABLE_MethodDef, OF_6));
    note(&f, OF_6, OP_CALL, TOKEN(TABLE_MethodDef, OF_4));
    note_lines(&f, F2, 20, 22);
    note_lines(&f, OF_4, 24, 24);
    note_lines(&f, OF_6, 26, 26);
    note(&f, F1, OP_CALL, TOKEN(TABLE_MethodDef, OF_1));
    assert_true(user_method_map_fold(&f.view, NULL));
    assert_int_equal(user(&f, OF_4), F2);
    end(&f);
}

static void functions_of_one_ordinal_are_of_one_method(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    note(&f, F2, OP_LDFTN, TOKEN(TABLE_MethodDef, ALSO_OF_4));
    note(&f, F3, OP_NEWOBJ, TOKEN(TABLE_MethodDef, CLOSURE)); /* of ordinal 6 */
    note_lines(&f, F1, 1, 100);
    assert_true(user_method_map_fold(&f.view, NULL));
    assert_int_equal(user(&f, OF_4), F2);
    assert_int_equal(user(&f, OF_6), F3);
    end(&f);
}

/* Ordinals rise at least as fast as rows: 1 is F1, since F2 has 2 methods before it. Between F1 and
 * the one with 6 that F3 calls, only F2 can have 4. */
static void ordinals_leave_one_method(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    note(&f, F3, OP_CALL, TOKEN(TABLE_MethodDef, OF_6));
    note_lines(&f, F3, 1, 100);
    note_lines(&f, OF_1, 50, 50);
    note_lines(&f, OF_4, 51, 51);
    assert_true(user_method_map_fold(&f.view, NULL));
    assert_int_equal(user(&f, OF_1), F1);
    assert_int_equal(user(&f, OF_4), F2);
    end(&f);
}

static void lines_choose_among_the_rest(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    note_lines(&f, F1, 1, 4);
    note_lines(&f, F2, 20, 24);
    note_lines(&f, F3, 40, 44);
    note_lines(&f, OF_4, 21, 21); /* inside */
    note_lines(&f, OF_6, 46, 47); /* after the last statement */
    assert_true(user_method_map_fold(&f.view, NULL));
    assert_int_equal(user(&f, OF_4), F2);
    assert_int_equal(user(&f, OF_6), F3);
    end(&f);
}

static void initialisers_are_no_lines_of_a_constructor(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f);
    struct seq_point points[] = {
        {.il_offset = 0, .document = 1, .start_line = 2, .end_line = 2},
        {.il_offset = 5, .document = 1, .start_line = 10, .end_line = 10},
        {.il_offset = 9, .hidden = true},
        {.il_offset = 11, .document = 1, .start_line = 12, .end_line = 13},
    };
    struct seq_points all = {points, ARRAY_LEN(points)};
    f.view.methods[F1 - 1].own_offset = 6; /* the call of the base constructor */
    user_method_map_note_lines(&f.view, F1, &all);
    assert_int_equal(f.view.methods[F1 - 1].first_line, 10);
    assert_int_equal(f.view.methods[F1 - 1].last_line, 13);
    end(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(who_calls_it_contains_it),
    cmocka_unit_test(what_calls_itself_has_no_caller),
    cmocka_unit_test(functions_of_one_ordinal_are_of_one_method),
    cmocka_unit_test(ordinals_leave_one_method),
    cmocka_unit_test(lines_choose_among_the_rest),
    cmocka_unit_test(initialisers_are_no_lines_of_a_constructor),
};
UNIT_TESTS(tests);

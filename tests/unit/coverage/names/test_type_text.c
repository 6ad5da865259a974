/* test_type_text.c - a type is found by its whole name, and by that of a type around it. */
#include "coverage/names/type_text.h"

#include "base/sort.h"
#include "tests/support/check.h"

static bool names(const char *text, const char *type)
{
    return type_text_find(str_of(text), str_of(type)) != NULL;
}

static void type_is_found_where_it_is_named(void **state)
{
    (void)state;
    assert_true(names("N.C", "N.C"));
    assert_true(names("N.C::M instance 0(N.B):N.D", "N.C"));
    assert_true(names("N.C::M instance 0(N.B):N.D", "N.B"));
    assert_true(names("N.C::M instance 0(N.B):N.D", "N.D"));
    assert_true(names("System.List`1<N.C>", "N.C"));
    assert_true(names("N.C[]", "N.C"));
    assert_true(names("N.C&", "N.C"));
}

static void nested_type_names_the_one_around_it(void **state)
{
    (void)state;
    assert_true(names("N.C/D::F int", "N.C"));
    assert_true(names("N.C/D::F int", "N.C/D"));
    assert_false(names("N.C::F int", "N.C/D"));
}

static void part_of_a_name_is_another_type(void **state)
{
    (void)state;
    assert_false(names("N.C2::M", "N.C"));
    assert_false(names("N.C`1<int>", "N.C"));
    assert_false(names("M.N.C::M", "N.C"));
    assert_false(names("N.B/C::M", "C"));
    assert_false(names("N.C\xC3\xBC::M", "N.C"));
    assert_false(names("", "N.C"));
    assert_false(names("N.C", ""));
}

static void later_mention_is_found_behind_a_longer_name(void **state)
{
    (void)state;
    assert_true(names("N.C2::M 0(N.C)", "N.C"));
}

/* One list of names against many texts is as each name against each text. */
static void many_names_are_found_as_one_by_one(void **state)
{
    static const char *const list[] = {
        "N.C2", "N.C/D", "N.C", "C", "N.C`1", "<F>A__C", "my C", "N.C", "", "N.C/E", "N",
    };
    static const char *const texts[] = {
        "",
        "N.C",
        "N.C/D",
        "N.C/D/E",
        "N.C/E",
        "A.N.C",
        "N.C2",
        "N.C`1<C>",
        "X<N.C2>",
        "M.X::f(N.C/D)",
        "N.B/N.C",
        "/N.C",
        "N.C/",
        "<F>A__C",
        "X`1<<F>A__C>",
        "my C",
        "a(my C,N.C2)",
        "N",
        "N/C",
        "C/N.C",
        "X`2<N.Y,N.C/D&>",
        "N.C[]",
        "N.C2*",
        "n.c",
        "N.C/D,C",
        "\xC3\xA9N.C",
        "N.C\xC3\xA9",
        "void N.X::m(C,C)",
        "N.Y/C<N.C`1/Z>",
    };
    struct str names[ARRAY_LEN(list)];
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(list); i++)
        names[i] = str_of(list[i]);
    for (uint32_t count = 0; count <= ARRAY_LEN(list); count++) {
        struct type_names all;
        assert_true(type_names_open(&all, names, count, &arena, NULL));
        for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
            struct list found = {0};
            assert_true(type_names_find(&found, &all, str_of(texts[i]), &arena, NULL));
            if (found.count != 0)
                qsort(found.items, found.count, sizeof(uint32_t), u32_order);
            uint32_t next = 0;
            for (uint32_t k = 0; k < count; k++)
                if (type_text_find(str_of(texts[i]), names[k]) != NULL) {
                    assert_true(next < found.count);
                    assert_int_equal(((const uint32_t *)found.items)[next++], k);
                }
            assert_int_equal(next, found.count);
        }
    }
    arena_free(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(type_is_found_where_it_is_named),
    cmocka_unit_test(nested_type_names_the_one_around_it),
    cmocka_unit_test(part_of_a_name_is_another_type),
    cmocka_unit_test(later_mention_is_found_behind_a_longer_name),
    cmocka_unit_test(many_names_are_found_as_one_by_one),
};
UNIT_TESTS(tests);

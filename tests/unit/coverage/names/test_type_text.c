/* test_type_text.c - a type is found by its whole name, and by that of a type around it. */
#include "coverage/names/type_text.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(type_is_found_where_it_is_named),
        cmocka_unit_test(nested_type_names_the_one_around_it),
        cmocka_unit_test(part_of_a_name_is_another_type),
        cmocka_unit_test(later_mention_is_found_behind_a_longer_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

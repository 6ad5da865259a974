/* test_test_name.c - the last dot of a test's name is between its class and its method. */
#include "coverage/facts/test_name.h"

#include "tests/support/check.h"

static void check(const char *name, const char *class, const char *method)
{
    assert_str(test_name_class(str_of(name)), class);
    assert_str(test_name_method(str_of(name)), method);
}

static void last_dot_is_between_class_and_method(void **state)
{
    (void)state;
    check("N.C.M", "N.C", "M");
    check("N.C+D.adds two", "N.C+D", "adds two");
    check("C.M", "C", "M");
    check("N.C.", "N.C", "");
    check(".M", "", "M");
}

static void name_without_a_dot_is_a_method(void **state)
{
    (void)state;
    check("M", "", "M");
    check("", "", "");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(last_dot_is_between_class_and_method),
    cmocka_unit_test(name_without_a_dot_is_a_method),
};
UNIT_TESTS(tests);

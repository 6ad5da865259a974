/* test_compiler_name.c - what C#'s names of lambdas and local functions say of the method around
 * them. */
#include "coverage/names/compiler_name.h"
#include "tests/support/check.h"

static void names_say_method_and_ordinal(void **state)
{
    static const struct {
        const char *name, *containing;
        uint32_t ordinal;
    } cases[] = {
        {"<F>b__3_0", "F", 3},
        {"<F>g__L|12_1", "F", 12},
        {"<F>b__0", "F", NO_INDEX},
        {"<F>g__L|0", "F", NO_INDEX},
        {"<F>g__b__4_4|7_0", "F", 7},
        {"<F>b__3#1_0#2", "F", 3},
        {"<F>b__0#2", "F", NO_INDEX},
        {"<.ctor>b__5_0", ".ctor", 5},
        {"<<Main>$>g__L|0_1", "<Main>$", 0},
        {"<N.I<System.Int32>.F>g__L|2_0", "N.I<System.Int32>.F", 2},
        {"<F>b__99999999999_0", "F", NO_INDEX},
        {"<F>b__", "F", NO_INDEX},
        {"<F>g__L", "F", NO_INDEX},
    };
    struct compiler_name made;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_true(compiler_name_read(&made, str_of(cases[i].name)));
        assert_str(made.containing, cases[i].containing);
        assert_int_equal(made.ordinal, cases[i].ordinal);
    }
}

static void other_names_say_nothing(void **state)
{
    static const char *const names[] = {"",        "F",    "b__3_0",       "<F",    "<>b__0_0",
                                        "<F>d__3", "<F>$", "<Clone>$",     "<F>b_", "<<F>b__0_0",
                                        "<Main>$", "<>c",  "_Lambda$__1-0"};
    struct compiler_name made;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        assert_false(compiler_name_read(&made, str_of(names[i])));
}

static void names_of_types_say_ordinals(void **state)
{
    static const struct {
        const char *name;
        uint32_t ordinal;
    } cases[] = {
        {"<>c__DisplayClass3_1", 3},
        {"<>c__DisplayClass10_0`1", 10},
        {"<>c__4`1", 4},
        {"<F>d__5", 5},
        {"<F>d__6`2", 6},
        {"<F>d__7#1", 7},
        {"<>c", NO_INDEX},
        {"<<F>g__L|3_0>d", NO_INDEX},
        {"<>o__1", NO_INDEX},
        {"c__4", NO_INDEX},
        {"", NO_INDEX},
        {"<F", NO_INDEX},
        {"<F>d__", NO_INDEX},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(compiler_name_ordinal_of_type(str_of(cases[i].name)), cases[i].ordinal);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(names_say_method_and_ordinal),
    cmocka_unit_test(other_names_say_nothing),
    cmocka_unit_test(names_of_types_say_ordinals),
};
UNIT_TESTS(tests);

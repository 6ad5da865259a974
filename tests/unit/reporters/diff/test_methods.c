/* test_methods.c - which methods of a comparison come first. */
#include "reporters/diff/methods.h"

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

/* Wherever in memory they are: equal input gives equal bytes. */
static void methods_of_equal_weight_stay_in_the_order_of_the_list(void **state)
{
    struct diff_method room[4] = {{.kind = DIFF_UNCHANGED}, {.kind = DIFF_UNCHANGED}};
    const struct diff_method *methods[] = {&room[3], &room[0], &room[2], &room[1]};
    struct err err = {0};
    (void)state;
    room[2].kind = DIFF_ADDED;
    room[2].lines[DIFF_NEW_MISSED] = 1;
    assert_true(methods_sort(methods, ARRAY_LEN(methods), &arena, &err));
    assert_ptr_equal(methods[0], &room[2]);
    assert_ptr_equal(methods[1], &room[3]);
    assert_ptr_equal(methods[2], &room[0]);
    assert_ptr_equal(methods[3], &room[1]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(methods_of_equal_weight_stay_in_the_order_of_the_list),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);

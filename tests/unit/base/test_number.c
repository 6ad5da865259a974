/* test_number.c - what is not all covered never shows as 100 %. */
#include "base/number.h"

#include "tests/support/check.h"

static void percent_rounds_down(void **state)
{
    static const struct {
        uint64_t covered, valid;
        uint32_t expected;
    } cases[] = {
        {0, 0, 10000},
        {0, 1, 0},
        {1, 1, 10000},
        {1, 3, 3333},
        {2, 3, 6666},
        {9999, 10000, 9999},
        {99999, 100000, 9999},
        {1, 100000, 0},
        {UINT64_MAX - 1, UINT64_MAX, 9999},
        {UINT64_MAX / 2, UINT64_MAX, 4999},
        {UINT64_MAX, UINT64_MAX, 10000},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_in_range(number_percent_x100(cases[i].covered, cases[i].valid), cases[i].expected,
                        cases[i].expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percent_rounds_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_number.c - what is not all covered never shows as 100 %. */
#include "base/number.h"

#include <inttypes.h>
#include <stdio.h>

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

static void expect_digits(uint64_t value)
{
    char expected[NUMBER_DIGITS_MAX + 1], room[NUMBER_DIGITS_MAX];
    char *first = number_digits(room + sizeof room, value);
    assert_true(first >= room && first < room + sizeof room);
    int len = snprintf(expected, sizeof expected, "%" PRIu64, value);
    assert_int_equal(room + sizeof room - first, len);
    assert_memory_equal(first, expected, (size_t)len);
}

static void digits_are_those_of_printf(void **state)
{
    (void)state;
    for (uint64_t value = 0; value < 20000; value++)
        expect_digits(value);
    for (uint64_t power = 1; power <= UINT64_MAX / 10; power *= 10) {
        expect_digits(power * 10);
        expect_digits(power * 10 - 1);
    }
    expect_digits(UINT64_MAX);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(percent_rounds_down),
    cmocka_unit_test(digits_are_those_of_printf),
};
UNIT_TESTS(tests);

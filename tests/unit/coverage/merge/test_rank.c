/* test_rank.c - which of two files to believe: gaps of statements. */
#include "coverage/merge/rank.h"

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

#define BITS(...)                                                                                  \
    {                                                                                              \
        (const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[])                                    \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static void line_is_a_gap_if_either_file_says_so(void **state)
{
    const struct {
        struct view left, right, both;
    } cases[] = {
        {{NULL, 0}, {NULL, 0}, {NULL, 0}},
        {BITS(5), {NULL, 0}, BITS(5)},
        {BITS(5), BITS(5), BITS(5)},
        {BITS(5), BITS(2), BITS(7)},
        {BITS(0x81), BITS(0x42, 0, 1), BITS(0xC3, 0, 1)},
        {BITS(0, 3), BITS(8, 5), BITS(8, 7)},
        {BITS(1, 2, 3, 4), BITS(4, 3), BITS(5, 3, 3, 4)},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        for (int swapped = 0; swapped < 2; swapped++) {
            struct view kept = swapped ? cases[i].right : cases[i].left;
            struct view other = swapped ? cases[i].left : cases[i].right;
            assert_true(rank_gaps(&kept, other, &arena, NULL));
            assert_int_equal(kept.len, cases[i].both.len);
            if (kept.len != 0)
                assert_memory_equal(kept.data, cases[i].both.data, kept.len);
        }
}

/* The other file may be closed. */
static void what_is_taken_over_is_a_copy(void **state)
{
    uint8_t bits[] = {1, 2};
    struct view kept = {NULL, 0};
    (void)state;
    assert_true(rank_gaps(&kept, (struct view){bits, sizeof bits}, &arena, NULL));
    bits[0] = bits[1] = 0;
    assert_int_equal(kept.data[0], 1);
    assert_int_equal(kept.data[1], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(line_is_a_gap_if_either_file_says_so, open_arena,
                                        close_arena),
        cmocka_unit_test_setup_teardown(what_is_taken_over_is_a_copy, open_arena, close_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

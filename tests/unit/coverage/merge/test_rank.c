/* test_rank.c - which of two files to believe: gaps of statements, arms, and who wrote the code. */
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

/* One knew more arms, or knew them at all; whichever comes first. */
static void longer_list_of_arms_is_kept(void **state)
{
    static const uint8_t two[] = {ARM_LABEL, 3, 9, 0, 15, 1 << 2 | ARM_NO_MATCH};
    static const uint8_t one[] = {ARM_LABEL, 3, 9, 0, 15}, other[] = {ARM_LABEL, 3, 9, 0, 17};
    static const struct fact_decision decisions[] = {
        {.arms_len = 0},
        {.arms = one, .arms_len = sizeof one},
        {.arms = other, .arms_len = sizeof other},
        {.arms = two, .arms_len = sizeof two},
    };
    (void)state;
    for (size_t a = 0; a < ARRAY_LEN(decisions); a++)
        for (size_t b = 0; b < ARRAY_LEN(decisions); b++) {
            struct fact_decision kept = decisions[a], turned = decisions[b];
            assert_true(rank_decision(&kept, &decisions[b], &arena, NULL));
            assert_true(rank_decision(&turned, &decisions[a], &arena, NULL));
            assert_int_equal(kept.arms_len, decisions[a > b ? a : b].arms_len);
            assert_int_equal(kept.arms_len, turned.arms_len);
            assert_memory_equal(kept.arms, turned.arms, kept.arms_len);
        }
}

/* One had the source with its header; the smaller number is as good as any. */
static void generator_that_one_file_knows_is_kept(void **state)
{
    const struct reason *reasons[] = {NULL, reason_of(REASON_GENERATED_TYPE),
                                      reason_of(REASON_GENERATED_HEADER)};
    static const size_t kept_of[3][3] = {{0, 1, 2}, {1, 1, 1}, {2, 1, 2}};
    (void)state;
    for (size_t a = 0; a < ARRAY_LEN(reasons); a++)
        for (size_t b = 0; b < ARRAY_LEN(reasons); b++) {
            struct fact_document document = {.generated = reasons[a]},
                                 source = {.generated = reasons[b]};
            struct fact_method method = {.generated = reasons[a]},
                               other = {.generated = reasons[b]};
            assert_true(rank_document(&document, &source, &arena, NULL));
            assert_true(rank_method_state(&method, &other, &arena, NULL));
            assert_true(reason_eq(document.generated, reasons[kept_of[a][b]]));
            assert_true(reason_eq(method.generated, reasons[kept_of[a][b]]));
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(line_is_a_gap_if_either_file_says_so, open_arena, close_arena),
    cmocka_unit_test_setup_teardown(what_is_taken_over_is_a_copy, open_arena, close_arena),
    cmocka_unit_test_setup_teardown(longer_list_of_arms_is_kept, open_arena, close_arena),
    cmocka_unit_test_setup_teardown(generator_that_one_file_knows_is_kept, open_arena, close_arena),
};
UNIT_TESTS(tests);

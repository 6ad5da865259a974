/* test_causes.c - causes are read as they were written, and other bytes to their end. */
#include "tests/support/check.h"

#include "coverage/facts/causes.h"

static void what_was_added_is_read(void **state)
{
    static const struct fact_cause added[] = {
        {CAUSE_ENTRY, 0, 0},      {CAUSE_COMPLETED, 3, 0}, {CAUSE_CLEANED_UP, 15, 0},
        {CAUSE_RESUMED, 1, 0},    {CAUSE_CAUGHT, 2, 0},    {CAUSE_LEFT, 0, 0},
        {CAUSE_OUTCOME, 300, 17},
    };
    struct fact_causes causes = {0};
    struct fact_cause read;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(added); i++)
        assert_true(causes_add(&causes, added[i]));
    struct reader r = causes_open(&causes);
    for (size_t i = 0; i < ARRAY_LEN(added); i++) {
        assert_true(causes_next(&r, &read));
        assert_int_equal(read.kind, added[i].kind);
        assert_int_equal(read.index, added[i].index);
        assert_int_equal(read.outcome, added[i].outcome);
    }
    assert_false(causes_next(&r, &read));
    assert_false(r.failed);
}

static void what_does_not_fit_is_not_added(void **state)
{
    struct fact_causes causes = {0}, before;
    (void)state;
    for (uint32_t i = 0; i < FACT_CAUSES_LEN; i++)
        assert_true(causes_add(&causes, (struct fact_cause){CAUSE_COMPLETED, i, 0}));
    before = causes;
    assert_false(causes_add(&causes, (struct fact_cause){CAUSE_ENTRY, 0, 0}));
    assert_memory_equal(&causes, &before, sizeof causes);
    causes.len = FACT_CAUSES_LEN - 1;
    assert_false(causes_add(&causes, (struct fact_cause){CAUSE_OUTCOME, 1, 1}));
    assert_int_equal(causes.len, FACT_CAUSES_LEN - 1);
}

/* Whatever bytes a file holds: the reader comes to an end, and says whether they are causes. */
static void bytes_of_any_kind_are_read_to_an_end(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 1 << 16; bits++) {
        struct fact_causes causes = {2, {(uint8_t)bits, (uint8_t)(bits >> 8)}};
        struct fact_cause read;
        struct reader r = causes_open(&causes);
        unsigned count = 0;
        while (causes_next(&r, &read))
            count++;
        assert_true(count <= 2);
        bool whole = (bits & 7) == 7      ? false
                     : (bits & 0x80) != 0 ? (bits & 0x8000) == 0 && (bits & 7) != 6
                     : (bits & 7) == 6    ? (bits & 0x8000) == 0
                                          : (bits & 0x8000) == 0 && (bits >> 8 & 7) < 6;
        assert_int_equal(!r.failed, whole);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_was_added_is_read),
    cmocka_unit_test(what_does_not_fit_is_not_added),
    cmocka_unit_test(bytes_of_any_kind_are_read_to_an_end),
};
UNIT_TESTS(tests);

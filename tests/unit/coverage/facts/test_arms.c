/* test_arms.c - names of outcomes are read as they were written, and other bytes to their end. */
#include "coverage/facts/arms.h"

#include <string.h>

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

static const struct fact_arm added[] = {
    {ARM_SUBJECT, 0, {7, 7, 9, 19}, 0},
    {ARM_LABEL, 0, {9, 12, 13, 1}, 0},
    {ARM_SHARED, 300, {9, 9, 13, 65000}, 1000},
    {ARM_NO_MATCH, 2, {0, 0, 0, 0}, 0},
};

static void what_was_added_is_read(void **state)
{
    struct fact_arm read;
    (void)state;
    struct writer w = wr_in(&arena);
    for (size_t i = 0; i < ARRAY_LEN(added); i++)
        arms_add(&w, &added[i]);
    struct reader r = arms_open(w.data, (uint32_t)w.len);
    for (size_t i = 0; i < ARRAY_LEN(added); i++) {
        assert_true(arms_next(&r, &read));
        assert_int_equal(read.kind, added[i].kind);
        assert_int_equal(read.outcome, added[i].outcome);
        assert_int_equal(read.statement, added[i].statement);
        assert_memory_equal(&read.span, &added[i].span, sizeof read.span);
    }
    assert_false(arms_next(&r, &read));
    assert_false(r.failed);
}

static void a_list_that_is_cut_is_no_list(void **state)
{
    struct fact_arm read;
    (void)state;
    struct writer w = wr_in(&arena);
    arms_add(&w, &added[2]);
    for (uint32_t len = 1; len < w.len; len++) {
        struct view copy = exact_copy((struct view){w.data, len});
        struct reader r = arms_open(copy.data, len);
        assert_false(arms_next(&r, &read));
        assert_true(r.failed);
        exact_free(copy);
    }
}

/* No line, no column, an end before the start. */
static void spans_of_nothing_are_no_spans(void **state)
{
    static const uint8_t lists[][5] = {{ARM_LABEL, 0, 9, 0, 10},
                                       {ARM_LABEL, 7, 0, 0, 10},
                                       {ARM_LABEL, 7, 9, 1, 0},
                                       {ARM_LABEL, 7, 9, 0, 9},
                                       {ARM_LABEL, 7, 9, 0, 8}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        struct fact_arm read;
        struct reader r = arms_open(lists[i], sizeof lists[i]);
        assert_false(arms_next(&r, &read));
        assert_true(r.failed);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_was_added_is_read),
    cmocka_unit_test(a_list_that_is_cut_is_no_list),
    cmocka_unit_test(spans_of_nothing_are_no_spans),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);

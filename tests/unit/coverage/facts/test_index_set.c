/* test_index_set.c - a set of numbers is packed in one way, and what is not so packed is
 * refused. */
#include "coverage/facts/index_set.h"

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

#define FULL 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01 /* UINT64_MAX */

static struct view listed(const uint32_t *numbers, uint32_t count)
{
    struct writer w = wr_in(&arena);
    index_set_write_list(&w, numbers, count);
    assert_false(w.failed);
    return (struct view){w.data, w.len};
}

static struct view written(const bool *has, uint32_t count)
{
    struct writer w = wr_in(&arena);
    index_set_write_at(&w, has, count, 0);
    assert_false(w.failed);
    return (struct view){w.data, w.len};
}

static void check_bytes(struct view set, struct view expected)
{
    assert_int_equal(set.len, expected.len);
    assert_memory_equal(set.data, expected.data, expected.len);
}

/* --- writing ---------------------------------------------------------------------------------- */

static void set_is_written_as_gaps_and_lengths(void **state)
{
    static const bool has[] = {false, true, true, false, false, true, false};
    static const bool first[] = {true, false, true};
    (void)state;
    check_bytes(written(has, ARRAY_LEN(has)), BYTES_VIEW(1, 2, 2, 1));
    check_bytes(written(first, ARRAY_LEN(first)), BYTES_VIEW(0, 1, 1, 1));
    check_bytes(written(has, 2), BYTES_VIEW(1, 1));
    check_bytes(listed((const uint32_t[]){1, 2, 5}, 3), BYTES_VIEW(1, 2, 2, 1));
    check_bytes(listed((const uint32_t[]){0, 2}, 2), BYTES_VIEW(0, 1, 1, 1));
}

static void large_numbers_take_more_bytes(void **state)
{
    (void)state;
    check_bytes(listed((const uint32_t[]){300, 301}, 2), BYTES_VIEW(0xAC, 2, 2));
    check_bytes(listed((const uint32_t[]){UINT32_MAX - 1}, 1),
                BYTES_VIEW(0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 1));
}

static void set_of_nothing_has_no_bytes(void **state)
{
    static const bool has[] = {false, false};
    (void)state;
    assert_int_equal(written(has, 2).len, 0);
    assert_int_equal(written(has, 0).len, 0);
    assert_int_equal(listed(NULL, 0).len, 0);
    assert_int_equal(index_set_count((struct view){NULL, 0}), 0);
}

static void writer_without_room_has_failed(void **state)
{
    uint8_t room[3];
    static const bool has[] = {true, false, true};
    (void)state;
    struct writer w = wr_over(room, sizeof room);
    index_set_write_at(&w, has, ARRAY_LEN(has), 0);
    assert_true(w.failed);
    w = wr_over(room, sizeof room);
    index_set_write_list(&w, (const uint32_t[]){0, 2}, 2);
    assert_true(w.failed);
}

/* --- reading ---------------------------------------------------------------------------------- */

static void runs_come_one_after_another(void **state)
{
    struct index_runs runs = index_set_runs(BYTES_VIEW(1, 2, 2, 1, 0xAC, 2, 3));
    uint32_t first = 0, end = 0;
    (void)state;
    assert_true(index_set_next(&runs, &first, &end));
    assert_true(first == 1 && end == 3);
    assert_true(index_set_next(&runs, &first, &end));
    assert_true(first == 5 && end == 6);
    assert_true(index_set_next(&runs, &first, &end));
    assert_true(first == 306 && end == 309);
    assert_false(index_set_next(&runs, &first, &end));
}

static void marking_adds_the_numbers_alone(void **state)
{
    bool has[7] = {true};
    static const bool expected[7] = {true, true, true, false, false, true, false};
    (void)state;
    index_set_mark(has, BYTES_VIEW(1, 2, 2, 1));
    assert_memory_equal(has, expected, sizeof has);
}

static void numbers_become_others_in_order_or_are_left_out(void **state)
{
    static const uint32_t to[] = {0, 7, UINT32_MAX, 0, 0, 6};
    struct view set;
    (void)state;
    assert_true(index_set_renumber(&set, BYTES_VIEW(1, 2, 2, 1), to, &arena, &arena, NULL));
    check_bytes(set, BYTES_VIEW(6, 2));
    assert_true(index_set_renumber(&set, BYTES_VIEW(2, 1), to, &arena, &arena, NULL));
    assert_int_equal(set.len, 0);
}

/* All sets of numbers below 12. */
static void every_set_is_read_as_it_was_written(void **state)
{
    enum {
        LIMIT = 12
    };
    (void)state;
    for (uint32_t bits = 0; bits < 1U << LIMIT; bits++) {
        bool has[LIMIT], marked[LIMIT] = {false};
        uint32_t numbers[LIMIT], count = 0;
        for (uint32_t i = 0; i < LIMIT; i++) {
            has[i] = (bits >> i & 1) != 0;
            if (has[i])
                numbers[count++] = i;
        }
        struct view set = written(has, LIMIT);
        check_bytes(listed(numbers, count), set);
        struct view copy = exact_copy(set);
        uint32_t limit = count != 0 ? numbers[count - 1] + 1 : 0;
        assert_true(index_set_is_sound(copy, limit));
        assert_true(limit == 0 || !index_set_is_sound(copy, limit - 1));
        assert_int_equal(index_set_count(copy), count);
        index_set_mark(marked, copy);
        assert_memory_equal(marked, has, sizeof has);
        exact_free(copy);
        arena_reset(&arena);
    }
}

/* --- soundness -------------------------------------------------------------------------------- */

static const struct {
    const char *what;
    uint8_t bytes[24];
    size_t len;
    uint32_t limit;
    bool is_sound;
} sets[] = {
    {"nothing", {0}, 0, 0, true},
    {"the only number", {0, 1}, 2, 1, true},
    {"two runs", {1, 2, 2, 1}, 4, 6, true},
    {"the largest number", {0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 1}, 6, UINT32_MAX, true},
    {"a number where there is none", {0, 1}, 2, 0, false},
    {"the end beyond the limit", {1, 2, 2, 1}, 4, 5, false},
    {"the start beyond the limit", {6, 1}, 2, 5, false},
    {"an empty run", {0, 0}, 2, 9, false},
    {"an empty run at the end", {0, 1, 1, 0}, 4, 9, false},
    {"runs that touch", {0, 1, 0, 1}, 4, 9, false},
    {"a gap alone", {0}, 1, 9, false},
    {"a gap after a run", {0, 1, 1}, 3, 9, false},
    {"a gap that is cut", {0x80}, 1, 9, false},
    {"a length that is cut", {0, 0x80}, 2, 9, false},
    {"a gap of 64 bits", {FULL, 1}, 11, 9, false},
    {"a length of 64 bits", {0, FULL}, 11, 9, false},
    {"a sum that wraps", {5, FULL}, 11, 9, false},
    {"a gap that leads back", {0, 2, FULL, 1}, 13, 9, false},
    {"more than 64 bits",
     {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 1},
     12,
     9,
     false},
};

static void only_what_could_be_written_is_sound(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sets); i++) {
        struct view copy = exact_copy((struct view){sets[i].bytes, sets[i].len});
        if (index_set_is_sound(copy, sets[i].limit) != sets[i].is_sound)
            fail_msg("%s", sets[i].what);
        exact_free(copy);
    }
}

static void number_in_a_longer_form_is_not_sound(void **state)
{
    static const uint8_t overlong[] = {0x80, 0, 1}; /* as {0, 1} */
    (void)state;
    assert_false(index_set_is_sound((struct view){overlong, sizeof overlong}, 9));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)
static const struct CMUnitTest tests[] = {
    TEST(set_is_written_as_gaps_and_lengths),
    TEST(large_numbers_take_more_bytes),
    TEST(set_of_nothing_has_no_bytes),
    TEST(writer_without_room_has_failed),
    TEST(runs_come_one_after_another),
    TEST(marking_adds_the_numbers_alone),
    TEST(numbers_become_others_in_order_or_are_left_out),
    TEST(every_set_is_read_as_it_was_written),
    TEST(only_what_could_be_written_is_sound),
    TEST(number_in_a_longer_form_is_not_sound),
};
UNIT_TESTS(tests);

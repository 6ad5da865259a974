/* test_hit_log.c - what contexts hit is written as contract/session_format.h says, and each way to
 * hit a method once. */
#include "profiler/contexts/hit_log.h"

#include "tests/support/check.h"

#define MVID "000102030405060708090a0b0c0d0e0f"

static const uint8_t mvid[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static struct hit_log hit_log;

static int open_log(void **state)
{
    (void)state;
    hit_log = (struct hit_log){.known = NULL};
    arena_init(&hit_log.arena, NULL, 0, ARENA_NO_LIMIT);
    return 0;
}

static int close_log(void **state)
{
    (void)state;
    free(hit_log.known);
    free(hit_log.number_of);
    arena_free(&hit_log.arena);
    return 0;
}

/* Also forgets them, as if they were written. */
static void check_lines(const char *expected, const char *file, int line)
{
    struct view lines = hit_log_lines(&hit_log);
    check_str((struct str){(const char *)lines.data, lines.len}, expected, file, line);
    hit_log_written(&hit_log);
    assert_int_equal(hit_log_lines(&hit_log).len, 0);
}
#define assert_lines(expected) check_lines((expected), __FILE__, __LINE__)

static void hit(uint32_t place, uint32_t rid, const uint8_t *counters, uint32_t count)
{
    assert_true(hit_log_method(&hit_log, place, rid, counters, count, 1));
}

/* --- contexts and places ---------------------------------------------------------------------- */

static void context_is_written_with_its_method_and_type(void **state)
{
    struct test_context test = {.number = 1, .kind = CONTEXT_TEST, .name = STR("N.C")};
    struct test_context none = {.number = 4294967295, .kind = CONTEXT_STATIC, .name = STR("")};
    (void)state;
    hit_log_context(&hit_log, &test, mvid, 7);
    hit_log_context(&hit_log, &none, mvid, 16777215);
    assert_lines("owner\t1\t0\t" MVID "\t7\tN.C\n"
                 "owner\t4294967295\t2\t" MVID "\t16777215\t\n");
}

static void log_begins_with_its_time(void **state)
{
    (void)state;
    hit_log_began(&hit_log, 1764158400);
    assert_lines("began\t1764158400\n");
}

static void tabs_line_ends_and_backslashes_are_escaped(void **state)
{
    struct test_context context = {
        .number = 2, .kind = CONTEXT_CLASS, .name = STR("a\tb\nc\\d\re")};
    (void)state;
    hit_log_context(&hit_log, &context, mvid, 7);
    assert_int_equal(hit_log_place(&hit_log, STR("x\ty")), 1);
    assert_lines("owner\t2\t1\t" MVID "\t7\ta\\tb\\nc\\\\d\re\n"
                 "counts\t1\tx\\ty\n");
}

static void end_says_whether_each_row_returned(void **state)
{
    struct test_context returned = {.number = 1, .rows = 1}, threw = {.number = 2, .rows = 3};
    (void)state;
    threw.threw = true;
    hit_log_over(&hit_log, &returned, 1500);
    hit_log_over(&hit_log, &threw, 0);
    assert_lines("over\t1\t1500\t1\t1\n"
                 "over\t2\t0\t3\t0\n");
}

static void places_are_numbered_from_1(void **state)
{
    (void)state;
    assert_int_equal(hit_log_place(&hit_log, STR("a.counts")), 1);
    assert_int_equal(hit_log_place(&hit_log, STR("b.counts")), 2);
    assert_lines("counts\t1\ta.counts\n"
                 "counts\t2\tb.counts\n");
    assert_int_equal(hit_log_place(&hit_log, STR("c.counts")), 3);
    hit_log_unsure(&hit_log, 2);
    assert_lines("counts\t3\tc.counts\n"
                 "unsure\t2\n");
}

/* --- vectors ---------------------------------------------------------------------------------- */

static void vector_is_runs_of_hit_counters(void **state)
{
    (void)state;
    hit(1, 7, BYTES(0, 1, 255, 0, 5), 5); /* gap 1, 2 of them; gap 1, 1 of them */
    hit(1, 8, BYTES(1, 0, 0, 0), 4);
    hit_log_hits(&hit_log, 3);
    assert_lines("vector\t1\t1\t7\t1211\n"
                 "vector\t2\t1\t8\t01\n"
                 "hits\t3\t12\n");
}

static void counters_of_8_bytes_are_hit_by_any_of_them(void **state)
{
    uint8_t counters[3 * 8] = {0};
    (void)state;
    store_u64(counters + 8, UINT64_C(1) << 56);
    store_u64(counters + 16, 1);
    assert_true(hit_log_method(&hit_log, 1, 7, counters, 3, 8));
    hit_log_hits(&hit_log, 1);
    assert_lines("vector\t1\t1\t7\t12\n"
                 "hits\t1\t1\n");
}

static const struct {
    uint32_t gap, len;
    const char *line;
} runs[] = {
    {31, 1, "vector\t1\t1\t7\tO1\n"},      /* 'O' is '0' + 31 */
    {32, 1, "vector\t1\t1\t7\tP11\n"},     /* 'P' is '0' + 32: 0, and others follow */
    {40, 1, "vector\t1\t1\t7\tX11\n"},     /* 8 + 1 * 32 */
    {0, 70, "vector\t1\t1\t7\t0V2\n"},     /* 6 + 2 * 32 */
    {63, 63, "vector\t1\t1\t7\to1o1\n"},   /* 31 + 1 * 32 */
    {1024, 33, "vector\t1\t1\t7\tPP1Q1\n"} /* 0 + 0 * 32 + 1 * 1024; 1 + 1 * 32 */
};

static void large_numbers_are_written_from_their_lowest_digit(void **state)
{
    static uint8_t counters[2000];
    for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
        (void)close_log(state);
        (void)open_log(state);
        memset(counters, 0, sizeof counters);
        memset(counters + runs[i].gap, 1, runs[i].len);
        hit(1, 7, counters, sizeof counters);
        assert_lines(runs[i].line);
    }
}

static void same_way_to_hit_a_method_is_written_once(void **state)
{
    (void)state;
    hit(1, 7, BYTES(1, 0), 2);
    hit_log_hits(&hit_log, 1);
    hit(1, 7, BYTES(9, 0), 2);
    hit(1, 7, BYTES(1, 1), 2);
    hit_log_hits(&hit_log, 2);
    assert_lines("vector\t1\t1\t7\t01\n"
                 "hits\t1\t1\n"
                 "vector\t2\t1\t7\t02\n"
                 "hits\t2\t12\n");
    hit(1, 7, BYTES(1, 1), 2);
    hit_log_hits(&hit_log, 3);
    assert_lines("hits\t3\t2\n");
}

static void other_methods_and_places_have_other_vectors(void **state)
{
    (void)state;
    hit(1, 7, BYTES(1), 1);
    hit(1, 8, BYTES(1), 1);
    hit(2, 7, BYTES(1), 1);
    hit_log_hits(&hit_log, 1);
    assert_lines("vector\t1\t1\t7\t01\n"
                 "vector\t2\t1\t8\t01\n"
                 "vector\t3\t2\t7\t01\n"
                 "hits\t1\t123\n");
}

static void each_counter_makes_another_vector(void **state)
{
    enum {
        MANY = 200
    };
    uint8_t counters[MANY] = {0};
    (void)state;
    for (unsigned time = 0; time < 2; time++)
        for (uint32_t i = 0; i < MANY; i++) {
            counters[i] = 1;
            hit(1, 7, counters, MANY);
            assert_int_equal(hit_log.known_count, time == 0 ? i + 1 : MANY);
            counters[i] = 0;
        }
}

static void thousands_of_vectors_keep_their_numbers(void **state)
{
    enum {
        MANY = 3000
    };
    (void)state;
    for (uint32_t rid = 1; rid <= MANY; rid++) {
        hit(1, rid, BYTES(0, 1), 2);
        assert_int_equal(hit_log.known_count, rid);
    }
    hit_log_written(&hit_log);
    for (uint32_t rid = MANY; rid != 0; rid--)
        hit(1, rid, BYTES(0, 1), 2);
    assert_int_equal(hit_log.known_count, MANY);
    hit_log_written(&hit_log);
    hit(1, 1, BYTES(0, 1), 2);
    hit(1, 40, BYTES(0, 1), 2);
    hit(1, MANY, BYTES(0, 1), 2); /* 24 + 29 * 32 + 2 * 1024 */
    hit_log_hits(&hit_log, 1);
    assert_lines("hits\t1\t1X1hm2\n");
}

static void context_that_hit_nothing_has_no_line(void **state)
{
    (void)state;
    hit_log_hits(&hit_log, 1);
    assert_lines("");
    hit(1, 7, BYTES(1), 1);
    hit_log_hits(&hit_log, 1);
    hit_log_hits(&hit_log, 2);
    assert_lines("vector\t1\t1\t7\t01\n"
                 "hits\t1\t1\n");
}

/* --- memory ----------------------------------------------------------------------------------- */

static void without_memory_nothing_is_written(void **state)
{
    struct test_context context = {.number = 1, .name = STR("N.C")};
    (void)state;
    hit_log.arena.limit = 0;
    hit_log_context(&hit_log, &context, mvid, 7);
    assert_int_equal(hit_log_lines(&hit_log).len, 0);
    assert_false(hit_log_method(&hit_log, 1, 7, BYTES(1), 1, 1));
    hit_log_hits(&hit_log, 1);
    assert_int_equal(hit_log_lines(&hit_log).len, 0);
    hit_log_written(&hit_log);
    hit_log.arena.limit = ARENA_NO_LIMIT;
    hit_log_unsure(&hit_log, 1);
    assert_lines("unsure\t1\n");
}

/* What was gathered before memory ended is not written either: the lines depend on each other. */
static void half_of_the_lines_is_not_written(void **state)
{
    (void)state;
    hit_log_unsure(&hit_log, 1);
    assert_true(hit_log_lines(&hit_log).len != 0);
    hit_log.arena.limit = hit_log.arena.used;
    for (unsigned i = 0; i < 10000; i++)
        hit_log_unsure(&hit_log, 1);
    assert_int_equal(hit_log_lines(&hit_log).len, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_log, close_log)
static const struct CMUnitTest tests[] = {
    TEST(log_begins_with_its_time),
    TEST(context_is_written_with_its_method_and_type),
    TEST(tabs_line_ends_and_backslashes_are_escaped),
    TEST(end_says_whether_each_row_returned),
    TEST(places_are_numbered_from_1),
    TEST(vector_is_runs_of_hit_counters),
    TEST(counters_of_8_bytes_are_hit_by_any_of_them),
    TEST(large_numbers_are_written_from_their_lowest_digit),
    TEST(same_way_to_hit_a_method_is_written_once),
    TEST(other_methods_and_places_have_other_vectors),
    TEST(each_counter_makes_another_vector),
    TEST(thousands_of_vectors_keep_their_numbers),
    TEST(context_that_hit_nothing_has_no_line),
    TEST(without_memory_nothing_is_written),
    TEST(half_of_the_lines_is_not_written),
};
UNIT_TESTS(tests);

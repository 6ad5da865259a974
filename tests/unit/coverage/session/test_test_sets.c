/* test_test_sets.c - tests of several runs are one, sets that are alike are one, and what ran a
 * line is counted once, whatever it was in. */
#include "coverage/session/test_sets.h"

#include "tests/support/check.h"
#include "tests/support/hand_facts.h"
#include "tests/support/test_arena.h"

/* Two modules of 4 counts each, an entry and three statements. */
static struct hand hand;
static struct facts *const facts = &hand.facts;
static struct fact_test tests_room[8];
static struct fact_hits hits_room[8];
static struct test_sets sets;

static int open_facts(void **state)
{
    (void)open_arena(state);
    hand_open(&hand, &arena);
    hand_module(&hand, "A", 1);
    (void)hand_method(&hand, "N.C", "M", "()", "a b c");
    hand_module(&hand, "B", 2);
    (void)hand_method(&hand, "N.C", "M", "()", "a b c");
    hand_lay_out(&hand);
    (void)hand_run(&hand, 1, RUN_MEASURED);
    (void)hand_run(&hand, 2, RUN_MEASURED);
    facts->tests = tests_room;
    facts->hits = hits_room;
    return 0;
}

static void add_test(uint32_t run, enum test_kind kind, const char *name)
{
    facts->tests[facts->test_count++] =
        (struct fact_test){.name = str_of(name), .kind = kind, .run = run, .rows = 1};
}

static void add_hits(uint32_t module, struct view counts, struct view tests)
{
    struct fact_hits *hits = &facts->hits[facts->hits_count++];
    hits->module = module;
    assert_true(view_copy(&hits->counts, counts, &arena, NULL));
    assert_true(view_copy(&hits->tests, tests, &arena, NULL));
}

static void open_sets(void)
{
    struct err err = {0};
    if (!facts_sort(facts, &arena, &err) || !facts_check(facts, &err) ||
        !test_sets_open(&sets, facts, &arena, &err))
        fail_msg("%s", err.text);
}

static bool is_set(struct view set, struct view expected)
{
    return set.len == expected.len && memcmp(set.data, expected.data, set.len) == 0;
}

static void tests_of_all_runs_are_each_there_once(void **state)
{
    (void)state;
    add_test(0, TEST_METHOD, "N.A");
    add_test(0, TEST_CLASS, "N");
    add_test(1, TEST_METHOD, "N.A");
    add_test(1, TEST_METHOD, "N.B");
    open_sets();
    assert_int_equal(sets.test_count, 3);
    assert_int_equal(sets.method_count, 2);
    assert_str(sets.tests[0].name, "N.A");
    assert_int_equal(sets.tests[0].rows, 2);
    assert_str(sets.tests[1].name, "N.B");
    assert_int_equal(sets.tests[2].kind, TEST_CLASS);
    assert_int_equal(facts->test_count, 4);
}

static void equal_sets_are_one(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3; i++)
        add_test(0, TEST_METHOD, (const char *[]){"A", "B", "C"}[i]);
    add_hits(0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 2));
    add_hits(0, BYTES_VIEW(1, 1), BYTES_VIEW(2, 1));
    add_hits(1, BYTES_VIEW(0, 1), BYTES_VIEW(2, 1));
    add_hits(1, BYTES_VIEW(2, 1), BYTES_VIEW(0, 2));
    open_sets();
    assert_int_equal(sets.set_count, 2);
    assert_true(is_set(sets.sets[0], BYTES_VIEW(0, 2)));
    assert_true(is_set(sets.sets[1], BYTES_VIEW(2, 1)));
    assert_memory_equal(sets.set_of, ((uint32_t[]){0, 1, 1, 0}), 4 * sizeof *sets.set_of);
}

static void check_count(const struct set_lists *of, uint32_t count, uint32_t expected_count,
                        const uint32_t *expected)
{
    assert_int_equal(of->first[count + 1] - of->first[count], expected_count);
    for (uint32_t i = 0; i < expected_count; i++)
        assert_int_equal(of->sets[of->first[count] + i], expected[i]);
}

static void counts_have_the_sets_that_hit_them_in_their_module(void **state)
{
    static const bool all[4] = {true, true, true, true}, last[4] = {false, false, true, true};
    struct set_lists of;
    (void)state;
    add_test(0, TEST_METHOD, "A");
    add_test(0, TEST_METHOD, "B");
    add_hits(0, BYTES_VIEW(0, 4), BYTES_VIEW(0, 1));
    add_hits(0, BYTES_VIEW(1, 1, 1, 1), BYTES_VIEW(1, 1));
    add_hits(1, BYTES_VIEW(0, 1), BYTES_VIEW(0, 2));
    open_sets();
    assert_true(test_sets_of_counts(&of, &sets, 0, 4, all, &arena, NULL));
    check_count(&of, 0, 1, (uint32_t[]){0});
    check_count(&of, 1, 2, (uint32_t[]){0, 1});
    check_count(&of, 2, 1, (uint32_t[]){0});
    check_count(&of, 3, 2, (uint32_t[]){0, 1});
    assert_true(test_sets_of_counts(&of, &sets, 0, 4, last, &arena, NULL));
    check_count(&of, 1, 0, NULL);
    check_count(&of, 3, 2, (uint32_t[]){0, 1});
    assert_true(test_sets_of_counts(&of, &sets, 1, 4, all, &arena, NULL));
    check_count(&of, 0, 1, (uint32_t[]){2});
    check_count(&of, 1, 0, NULL);
}

static void test_in_several_sets_of_a_line_counts_once(void **state)
{
    struct line_tests_maker maker;
    const struct line_tests *first, *same, *other, *none;
    (void)state;
    add_test(0, TEST_METHOD, "A");
    add_test(0, TEST_METHOD, "B");
    add_test(0, TEST_METHOD, "C");
    add_test(0, TEST_OUTSIDE, "");
    add_hits(0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 2));       /* A B */
    add_hits(0, BYTES_VIEW(1, 1), BYTES_VIEW(1, 2));       /* B C */
    add_hits(0, BYTES_VIEW(2, 1), BYTES_VIEW(0, 1, 2, 1)); /* A outside */
    add_hits(0, BYTES_VIEW(3, 1), BYTES_VIEW(3, 1));       /* outside */
    open_sets();
    assert_true(line_tests_open(&maker, &sets, &arena, &arena, NULL));
    assert_true(line_tests_make(&first, &maker, (uint32_t[]){2, 0, 1, 0}, 4));
    assert_int_equal(first->test_count, 3);
    assert_true(is_set(first->sets, BYTES_VIEW(0, 3)));
    assert_true(line_tests_make(&same, &maker, (uint32_t[]){1, 2, 0}, 3));
    assert_ptr_equal(same, first);
    assert_true(line_tests_make(&other, &maker, (uint32_t[]){0, 2}, 2));
    assert_int_equal(other->test_count, 2);
    assert_true(is_set(other->sets, BYTES_VIEW(0, 1, 1, 1)));
    assert_true(line_tests_make(&other, &maker, (uint32_t[]){3}, 1));
    assert_int_equal(other->test_count, 0);
    assert_true(line_tests_make(&none, &maker, NULL, 0));
    assert_null(none);
}

static void sets_of_some_lines_are_numbered_anew(void **state)
{
    struct some_sets some = {.last = NULL};
    const struct line_tests a = {0, BYTES_VIEW(7, 2)}, b = {0, BYTES_VIEW(2, 1, 5, 1)};
    (void)state;
    assert_true(some_sets_add(&some, NULL, &arena, NULL));
    assert_true(some_sets_add(&some, &a, &arena, NULL));
    assert_true(some_sets_add(&some, &a, &arena, NULL));
    assert_true(some_sets_add(&some, &b, &arena, NULL));
    some_sets_end(&some);
    assert_int_equal(some.numbers.count, 3);
    assert_int_equal(some_sets_place(&some, 2), 0);
    assert_int_equal(some_sets_place(&some, 7), 1);
    assert_int_equal(some_sets_place(&some, 8), 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_facts, close_facts)

static int close_facts(void **state)
{
    facts->test_count = facts->hits_count = 0;
    return close_arena(state);
}

static const struct CMUnitTest tests[] = {
    TEST(tests_of_all_runs_are_each_there_once),
    TEST(equal_sets_are_one),
    TEST(counts_have_the_sets_that_hit_them_in_their_module),
    TEST(test_in_several_sets_of_a_line_counts_once),
    TEST(sets_of_some_lines_are_numbered_anew),
};
UNIT_TESTS(tests);

/* test_facts_tests.c - tests come in one order, each once, and the sets of what they hit follow
 * them; sets that contradict the facts are refused. */
#include "coverage/facts/index_set.h"
#include "tests/support/check.h"
#include "tests/support/hand_facts.h"
#include "tests/support/test_arena.h"

static struct hand hand;
static struct facts *const facts = &hand.facts;
static struct fact_test tests_room[8];
static struct fact_hits hits_room[8];

/* Two modules of 4 counts each, "A" and "B", and two runs, in their order: all is sorted. */
static int open_facts(void **state)
{
    (void)open_arena(state);
    hand_open(&hand, &arena);
    hand_module(&hand, "A", 1);
    (void)hand_method(&hand, "N.C", "M", "()", "a b c");
    hand_module(&hand, "B", 2);
    (void)hand_method(&hand, "N.C", "M", "()", "a b c");
    hand_lay_out(&hand);
    assert_int_equal(facts->modules[1].count_len, 4); /* an entry, and three statements */
    (void)hand_run(&hand, 1, RUN_MEASURED);
    (void)hand_run(&hand, 2, RUN_MEASURED);
    facts->tests = tests_room;
    facts->hits = hits_room;
    return 0;
}

static void add_test(uint32_t run, enum test_kind kind, const char *name)
{
    facts->tests[facts->test_count++] =
        (struct fact_test){.name = str_of(name), .kind = kind, .run = run};
}

static struct view kept(struct view bytes)
{
    struct view copy = {NULL, 0};
    assert_true(view_copy(&copy, bytes, &arena, NULL));
    return copy;
}

static void add_hits(uint32_t module, struct view counts, struct view tests)
{
    facts->hits[facts->hits_count++] = (struct fact_hits){module, kept(counts), kept(tests)};
}

static void sort(void)
{
    struct err err = {0};
    if (!facts_sort(facts, &arena, &err) || !facts_check(facts, &err))
        fail_msg("%s", err.text);
}

static void check_test(uint32_t index, uint32_t run, enum test_kind kind, const char *name)
{
    assert_str(facts->tests[index].name, name);
    assert_int_equal(facts->tests[index].run, run);
    assert_int_equal(facts->tests[index].kind, kind);
}

static void check_set(struct view set, struct view expected)
{
    assert_int_equal(set.len, expected.len);
    assert_memory_equal(set.data, expected.data, expected.len);
}

/* --- order ------------------------------------------------------------------------------------ */

static void tests_are_sorted_by_run_kind_and_name(void **state)
{
    (void)state;
    add_test(1, TEST_METHOD, "N.A");
    add_test(0, TEST_OUTSIDE, "");
    add_test(0, TEST_METHOD, "N.B");
    add_test(0, TEST_CLASS, "N.A");
    add_test(0, TEST_METHOD, "N.A");
    add_test(0, TEST_STATIC, "N.A");
    sort();
    assert_int_equal(facts->test_count, 6);
    check_test(0, 0, TEST_METHOD, "N.A");
    check_test(1, 0, TEST_METHOD, "N.B");
    check_test(2, 0, TEST_CLASS, "N.A");
    check_test(3, 0, TEST_STATIC, "N.A");
    check_test(4, 0, TEST_OUTSIDE, "");
    check_test(5, 1, TEST_METHOD, "N.A");
}

static void sets_follow_the_tests_that_moved(void **state)
{
    (void)state;
    add_test(0, TEST_OUTSIDE, "");                         /* becomes 3 */
    add_test(0, TEST_METHOD, "N.C");                       /* 2 */
    add_test(0, TEST_METHOD, "N.A");                       /* 0 */
    add_test(0, TEST_METHOD, "N.B");                       /* 1 */
    add_hits(0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 1));       /* 0 */
    add_hits(0, BYTES_VIEW(1, 1), BYTES_VIEW(1, 2));       /* 1, 2 */
    add_hits(0, BYTES_VIEW(2, 1), BYTES_VIEW(0, 1, 2, 1)); /* 0, 3 */
    sort();
    assert_int_equal(facts->hits_count, 3);
    check_set(facts->hits[0].tests, BYTES_VIEW(3, 1));
    check_set(facts->hits[1].tests, BYTES_VIEW(0, 1, 1, 1)); /* 0, 2 */
    check_set(facts->hits[2].tests, BYTES_VIEW(1, 1, 1, 1)); /* 1, 3 */
    check_set(facts->hits[2].counts, BYTES_VIEW(2, 1));
}

static void tests_follow_their_runs_and_hits_their_modules(void **state)
{
    struct fact_run run = facts->runs[0];
    struct fact_module module = facts->modules[0];
    (void)state;
    facts->runs[0] = facts->runs[1];
    facts->runs[1] = run;
    facts->modules[0] = facts->modules[1];
    facts->modules[1] = module;
    add_test(0, TEST_METHOD, "N.A"); /* of the later run */
    add_test(1, TEST_METHOD, "N.B");
    add_hits(0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 1)); /* of module "B" */
    add_hits(1, BYTES_VIEW(1, 1), BYTES_VIEW(1, 1));
    sort();
    check_test(0, 0, TEST_METHOD, "N.B");
    check_test(1, 1, TEST_METHOD, "N.A");
    assert_int_equal(facts->hits[0].module, 0);
    check_set(facts->hits[0].counts, BYTES_VIEW(1, 1));
    check_set(facts->hits[0].tests, BYTES_VIEW(0, 1));
    assert_int_equal(facts->hits[1].module, 1);
    check_set(facts->hits[1].counts, BYTES_VIEW(0, 1));
    check_set(facts->hits[1].tests, BYTES_VIEW(1, 1));
}

static void what_is_sorted_stays_as_it_is(void **state)
{
    (void)state;
    struct view tests = BYTES_VIEW(0, 2);
    add_test(0, TEST_METHOD, "N.A");
    add_test(0, TEST_METHOD, "N.B");
    add_hits(0, BYTES_VIEW(0, 1), tests);
    add_hits(1, BYTES_VIEW(1, 1), tests);
    sort();
    assert_int_equal(facts->test_count, 2);
    assert_int_equal(facts->hits_count, 2);
    check_set(facts->hits[0].tests, BYTES_VIEW(0, 2));
    check_set(facts->hits[1].tests, BYTES_VIEW(0, 2));
}

/* --- joining ---------------------------------------------------------------------------------- */

static void tests_of_one_run_kind_and_name_are_one(void **state)
{
    (void)state;
    add_test(0, TEST_METHOD, "N.A");                       /* 0 */
    add_test(0, TEST_METHOD, "N.A");                       /* 0 */
    add_test(0, TEST_METHOD, "N.B");                       /* 1 */
    add_test(0, TEST_METHOD, "N.B");                       /* 1 */
    add_test(0, TEST_METHOD, "N.C");                       /* 2 */
    add_hits(0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 2));       /* 0, 1 */
    add_hits(0, BYTES_VIEW(1, 1), BYTES_VIEW(1, 1, 1, 2)); /* 1, 3, 4 */
    add_hits(0, BYTES_VIEW(2, 1), BYTES_VIEW(2, 1));       /* 2 */
    sort();
    assert_int_equal(facts->test_count, 3);
    check_test(0, 0, TEST_METHOD, "N.A");
    check_test(1, 0, TEST_METHOD, "N.B");
    check_test(2, 0, TEST_METHOD, "N.C");
    check_set(facts->hits[0].tests, BYTES_VIEW(0, 1));
    check_set(facts->hits[1].tests, BYTES_VIEW(0, 3));
    check_set(facts->hits[2].tests, BYTES_VIEW(1, 1));
}

static void tests_that_are_not_beside_each_other_are_joined_too(void **state)
{
    (void)state;
    add_test(0, TEST_METHOD, "N.B");                       /* 1 */
    add_test(0, TEST_METHOD, "N.A");                       /* 0 */
    add_test(0, TEST_METHOD, "N.B");                       /* 1 */
    add_test(0, TEST_METHOD, "N.A");                       /* 0 */
    add_hits(0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 1, 1, 1)); /* 0, 2 */
    add_hits(0, BYTES_VIEW(1, 1), BYTES_VIEW(3, 1));       /* 3 */
    add_hits(0, BYTES_VIEW(2, 1), BYTES_VIEW(0, 4));       /* all */
    sort();
    assert_int_equal(facts->test_count, 2);
    check_set(facts->hits[0].tests, BYTES_VIEW(1, 1));
    check_set(facts->hits[1].tests, BYTES_VIEW(0, 1));
    check_set(facts->hits[2].tests, BYTES_VIEW(0, 2));
}

static void same_name_of_another_run_or_kind_is_another_test(void **state)
{
    (void)state;
    add_test(0, TEST_METHOD, "N.A");
    add_test(0, TEST_CLASS, "N.A");
    add_test(0, TEST_STATIC, "N.A");
    add_test(1, TEST_METHOD, "N.A");
    add_test(1, TEST_METHOD, "N.A.");
    sort();
    assert_int_equal(facts->test_count, 5);
}

static void joined_test_took_what_all_took(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3; i++)
        add_test(0, TEST_METHOD, "N.A");
    facts->tests[0].ns = 100;
    facts->tests[1].ns = 20;
    facts->tests[2].ns = 3;
    facts->tests[0].rows = 1;
    facts->tests[2].rows = 4;
    sort();
    assert_int_equal(facts->test_count, 1);
    assert_true(facts->tests[0].ns == 123);
    assert_true(facts->tests[0].rows == 5);
}

static void joined_numbers_do_not_wrap(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        add_test(0, TEST_METHOD, "N.A");
        facts->tests[i].ns = facts->tests[i].rows = INT64_MAX - 1;
    }
    sort();
    assert_true(facts->tests[0].ns == INT64_MAX);
    assert_true(facts->tests[0].rows == INT64_MAX);
}

static const struct {
    enum test_end each[3], joined;
} ends[] = {
    {{TEST_RETURNED, TEST_RETURNED, TEST_RETURNED}, TEST_RETURNED},
    {{TEST_THREW, TEST_RETURNED, TEST_RETURNED}, TEST_THREW},
    {{TEST_RETURNED, TEST_THREW, TEST_RETURNED}, TEST_THREW},
    {{TEST_RETURNED, TEST_RETURNED, TEST_THREW}, TEST_THREW},
    {{TEST_THREW, TEST_END_UNKNOWN, TEST_RETURNED}, TEST_THREW},
    {{TEST_END_UNKNOWN, TEST_THREW, TEST_END_UNKNOWN}, TEST_THREW},
    {{TEST_END_UNKNOWN, TEST_END_UNKNOWN, TEST_RETURNED}, TEST_RETURNED},
    {{TEST_RETURNED, TEST_END_UNKNOWN, TEST_END_UNKNOWN}, TEST_RETURNED},
    {{TEST_END_UNKNOWN, TEST_END_UNKNOWN, TEST_END_UNKNOWN}, TEST_END_UNKNOWN},
};

static void joined_test_threw_if_one_did(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        facts->test_count = 0;
        for (uint32_t n = 0; n < 3; n++) {
            add_test(0, TEST_METHOD, "N.A");
            facts->tests[n].end = ends[i].each[n];
        }
        sort();
        if (facts->tests[0].end != ends[i].joined)
            fail_msg("ends %zu", i);
    }
}

static void joining_runs_leaves_the_original_as_it_is(void **state)
{
    struct err err = {0};
    (void)state;
    add_test(0, TEST_METHOD, "N.A");                       /* 0 */
    add_test(0, TEST_METHOD, "N.C");                       /* 2 */
    add_test(0, TEST_OUTSIDE, "");                         /* 3 */
    add_test(1, TEST_METHOD, "N.B");                       /* 1 */
    add_test(1, TEST_METHOD, "N.C");                       /* 2 */
    add_hits(0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 1, 2, 1)); /* 0, 3 */
    add_hits(0, BYTES_VIEW(1, 1), BYTES_VIEW(1, 1, 2, 1)); /* 1, 4 */
    add_hits(0, BYTES_VIEW(2, 1), BYTES_VIEW(2, 1));       /* 2 */
    sort();
    struct facts joined = *facts;
    assert_true(facts_join_tests(&joined, &arena, &err));
    assert_int_equal(joined.test_count, 4);
    assert_str(joined.tests[1].name, "N.B");
    assert_str(joined.tests[2].name, "N.C");
    assert_int_equal(joined.tests[3].kind, TEST_OUTSIDE);
    check_set(joined.hits[0].tests, BYTES_VIEW(0, 2));
    check_set(joined.hits[1].tests, BYTES_VIEW(2, 1));
    check_set(joined.hits[2].tests, BYTES_VIEW(3, 1));
    assert_int_equal(facts->test_count, 5);
    check_test(3, 1, TEST_METHOD, "N.B");
    check_set(facts->hits[0].tests, BYTES_VIEW(0, 1, 2, 1));
}

/* --- check ------------------------------------------------------------------------------------ */

static void break_test_run(void)
{
    facts->tests[1].run = facts->run_count;
}

static void break_test_kind(void)
{
    facts->tests[1].kind = (enum test_kind)(TEST_OUTSIDE + 1);
}

static void break_test_end(void)
{
    facts->tests[1].end = (enum test_end)(TEST_THREW + 1);
}

static void break_module(void)
{
    facts->hits[1].module = facts->module_count;
    facts->hits[1].counts.len = 0;
}

static void break_counts(void)
{
    facts->hits[1].counts = kept(BYTES_VIEW(2, 3)); /* 2, 3, 4, but there are 4 */
}

static void break_tests(void)
{
    facts->hits[1].tests = kept(BYTES_VIEW(2, 1)); /* there are 2 */
}

static void cut_counts(void)
{
    facts->hits[1].counts.len--;
}

static void cut_tests(void)
{
    facts->hits[1].tests.len--;
}

static void touch_counts(void)
{
    facts->hits[1].counts = kept(BYTES_VIEW(0, 1, 0, 1));
}

static void empty_run_of_tests(void)
{
    facts->hits[1].tests = kept(BYTES_VIEW(0, 0));
}

static const struct {
    const char *what;
    void (*apply)(void);
} breaks[] = {
    {"a test of a run that there is not", break_test_run},
    {"a test of a kind that there is not", break_test_kind},
    {"an end that there is not", break_test_end},
    {"hits of a module that there is not", break_module},
    {"counts that the module does not have", break_counts},
    {"tests that there are not", break_tests},
    {"counts that are cut", cut_counts},
    {"tests that are cut", cut_tests},
    {"runs of counts that touch", touch_counts},
    {"an empty run of tests", empty_run_of_tests},
};

static void make_sound(void)
{
    facts->test_count = facts->hits_count = 0;
    add_test(0, TEST_METHOD, "N.A");
    add_test(1, TEST_OUTSIDE, "");
    facts->tests[1].end = TEST_THREW;
    add_hits(0, BYTES_VIEW(0, 4), BYTES_VIEW(0, 2));
    add_hits(1, BYTES_VIEW(3, 1), BYTES_VIEW(1, 1));
}

static void only_sound_tests_and_hits_pass(void **state)
{
    struct err err = {0};
    (void)state;
    make_sound();
    if (!facts_check(facts, &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i < ARRAY_LEN(breaks); i++) {
        make_sound();
        breaks[i].apply();
        err = (struct err){0};
        if (facts_check(facts, &err))
            fail_msg("%s", breaks[i].what);
        assert_failed(false, err, ERR_FORMAT);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_facts, close_arena)
static const struct CMUnitTest tests[] = {
    TEST(tests_are_sorted_by_run_kind_and_name),
    TEST(sets_follow_the_tests_that_moved),
    TEST(tests_follow_their_runs_and_hits_their_modules),
    TEST(what_is_sorted_stays_as_it_is),
    TEST(tests_of_one_run_kind_and_name_are_one),
    TEST(tests_that_are_not_beside_each_other_are_joined_too),
    TEST(same_name_of_another_run_or_kind_is_another_test),
    TEST(joined_test_took_what_all_took),
    TEST(joined_numbers_do_not_wrap),
    TEST(joined_test_threw_if_one_did),
    TEST(joining_runs_leaves_the_original_as_it_is),
    TEST(only_sound_tests_and_hits_pass),
};
UNIT_TESTS(tests);

/* test_test_worth.c - what a test hits that nothing else does, and which tests could all be left
 * out together. */
#include "coverage/session/test_worth.h"

#include "coverage/facts/index_set.h"
#include "tests/support/check.h"
#include "tests/support/hand_facts.h"
#include "tests/support/test_arena.h"

/* App has N.Order.Add of statements a to h, and Lib N.Order.Remove of a and b. Suite contains the
 * tests; it is skipped, and its methods are known. */
enum {
    APP,
    LIB,
    SUITE,
    TESTS_MAX = 8
};

static struct hand hand;
static struct facts *const facts = &hand.facts;
static struct fact_test tests_room[TESTS_MAX];
static struct fact_hits hits_room[32];

static int open_facts(void **state)
{
    (void)open_arena(state);
    hand_open(&hand, &arena);
    hand_module(&hand, "App", 1);
    (void)hand_method(&hand, "N.Order", "Add", "()", "a b c d e f g h");
    hand_module(&hand, "Lib", 2);
    (void)hand_method(&hand, "N.Order", "Remove", "()", "a b");
    hand_module(&hand, "Suite", 3);
    (void)hand_method(&hand, "S.T/In", "A", "()", "a");
    (void)hand_method(&hand, "S.T/In", "B", "()", "b");
    (void)hand_method(&hand, "S.T/In", "C", "()", "c");
    hand_lay_out(&hand);
    facts->modules[SUITE].state = MODULE_SKIPPED;
    facts->tests = tests_room;
    facts->test_count = 0;
    facts->hits = hits_room;
    return 0;
}

/* Hits of a test, of statements by their letters. */
static void add_hits(uint32_t test, uint32_t module, const char *method, const char *statements)
{
    bool has[TESTS_MAX] = {false};
    has[test] = true;
    for (const char *letter = statements; *letter != '\0'; letter++) {
        struct writer tests, counts;
        bool place[64] = {false};
        uint32_t first = module == SUITE ? 0 : (uint32_t)(*letter - 'a');
        place[hand_place(&hand, module, method, first)] = true;
        tests = wr_in(&arena);
        counts = wr_in(&arena);
        index_set_write_at(&tests, has, TESTS_MAX, 0);
        index_set_write_at(&counts, place, 64, 0);
        assert_true(facts->hits_count < ARRAY_LEN(hits_room));
        facts->hits[facts->hits_count++] =
            (struct fact_hits){module, {counts.data, counts.len}, {tests.data, tests.len}};
    }
}

/* In order of kind and name. */
static uint32_t add(enum test_kind kind, const char *name, enum test_end end, const char *app)
{
    uint32_t test = facts->test_count++;
    assert_true(test < TESTS_MAX);
    facts->tests[test] = (struct fact_test){.name = str_of(name), .kind = kind, .end = end};
    add_hits(test, APP, "Add", app);
    return test;
}

/* A test, which hits its own body, too. */
static uint32_t add_test(const char *method, const char *app)
{
    struct str name;
    assert_true(text_format(&name, &arena, NULL, "S.T+In.%s", method));
    uint32_t test = add(TEST_METHOD, name.text, TEST_RETURNED, app);
    add_hits(test, SUITE, method, "a");
    return test;
}

/* The last letters of the names of those that are redundant. */
static void assert_redundant(const char *expected)
{
    char got[TESTS_MAX + 1] = "", *at = got;
    bool *redundant = NULL;
    assert_true(test_worth_redundant(&redundant, facts, &arena, NULL));
    for (uint32_t i = 0; i < facts->test_count; i++)
        if (redundant[i])
            *at++ = facts->tests[i].name.text[facts->tests[i].name.len - 1];
    *at = '\0';
    assert_string_equal(got, expected);
}

static void assert_weights(const struct test_weight *expected)
{
    struct test_weight *weights = NULL;
    assert_true(test_worth_weigh(&weights, facts, &arena, NULL));
    for (uint32_t i = 0; i < facts->test_count; i++) {
        assert_int_equal(weights[i].hit, expected[i].hit);
        assert_int_equal(weights[i].alone, expected[i].alone);
    }
}

/* --- weights ---------------------------------------------------------------------------------- */

static void test_is_worth_what_it_alone_hits(void **state)
{
    (void)state;
    uint32_t a = add_test("A", "abc");
    uint32_t b = add_test("B", "cd");
    uint32_t c = add_test("C", "");
    add_hits(b, LIB, "Remove", "a"); /* a place that App has, too */
    add_hits(c, LIB, "Remove", "a");
    assert_weights((const struct test_weight[]){{3, 2}, {3, 1}, {1, 0}});
    add_hits(c, LIB, "Remove", "b");
    add_hits(c, LIB, "Remove", "b"); /* as one that ran in two processes */
    assert_weights((const struct test_weight[]){{3, 2}, {3, 1}, {2, 1}});
    (void)a;
}

/* --- redundant tests -------------------------------------------------------------------------- */

static void of_equal_tests_the_first_stays(void **state)
{
    (void)state;
    (void)add_test("A", "ab");
    (void)add_test("B", "ab");
    (void)add_test("C", "ab");
    assert_redundant("BC");
}

static void part_of_another_test_is_redundant(void **state)
{
    (void)state;
    (void)add_test("A", "b");
    (void)add_test("B", "ab");
    (void)add_test("C", "cb");
    assert_redundant("A");
}

/* B and C together hit what A does. */
static void what_others_hit_together_is_redundant(void **state)
{
    (void)state;
    (void)add_test("A", "ab");
    (void)add_test("B", "acd");
    (void)add_test("C", "bef");
    assert_redundant("A");
}

/* In a circle each is hit by the two others, which are not both left out. */
static void all_that_are_redundant_can_be_left_out_together(void **state)
{
    (void)state;
    (void)add_test("A", "ab");
    (void)add_test("B", "bc");
    (void)add_test("C", "ca");
    assert_redundant("C");
}

static void tests_that_differ_are_not_redundant(void **state)
{
    (void)state;
    uint32_t a = add_test("A", "ab");
    (void)add_test("B", "ac");
    assert_redundant("");
    add_hits(a, LIB, "Remove", "ab");
    (void)add_test("C", "ab");
    assert_redundant("C");
}

static void excluded_code_is_nothing_that_a_test_adds(void **state)
{
    (void)state;
    (void)add_test("A", "abcd");
    uint32_t b = add_test("B", "ae");
    add_hits(b, LIB, "Remove", "a");
    assert_redundant("");
    facts->modules[APP].statements[4].reason = reason_of(REASON_COMMENT);
    assert_redundant("");
    facts->modules[LIB].methods[0].state = METHOD_EXCLUDED;
    assert_redundant("B");
    facts->modules[LIB].methods[0].state = METHOD_INSTRUMENTED;
    facts->modules[LIB].documents[0].reason = reason_of(REASON_OUTSIDE_ROOT);
    assert_redundant("B");
    assert_weights((const struct test_weight[]){{4, 3}, {1, 0}});
    facts->modules[LIB].documents[0].reason = NULL;
    facts->modules[LIB].documents[0].generated = reason_of(REASON_GENERATED_FOLDER);
    assert_redundant("B");
    facts->counts_generated = true;
    assert_redundant("");
}

static void test_that_hits_nothing_is_redundant(void **state)
{
    (void)state;
    (void)add_test("A", "");
    (void)add_test("B", "a");
    assert_redundant("A");
}

static void test_that_threw_neither_is_redundant_nor_makes_others_so(void **state)
{
    (void)state;
    (void)add_test("A", "ab");
    facts->tests[add_test("B", "ab")].end = TEST_THREW;
    facts->tests[add_test("C", "")].end = TEST_THREW;
    assert_redundant("");
    (void)add(TEST_METHOD, "S.T+In.D", TEST_RETURNED, "b");
    assert_redundant("D"); /* for A */
}

/* --include-tests: it is in reports then. */
static void test_assembly_that_is_reported_does_not_count(void **state)
{
    (void)state;
    facts->modules[SUITE].state = MODULE_INSTRUMENTED;
    (void)add_test("A", "a");
    (void)add_test("B", "a");
    assert_redundant("B");
    assert_weights((const struct test_weight[]){{1, 0}, {1, 0}});
    facts->modules[APP].methods[0].type = STR("S.T/In"); /* of another name */
    assert_redundant("B");
}

/* --- what runs around tests ------------------------------------------------------------------- */

static void set_up_is_lost_with_the_last_test_of_its_class(void **state)
{
    (void)state;
    (void)add_test("A", "a");
    (void)add_test("B", "a");
    (void)add(TEST_METHOD, "S.U.C", TEST_RETURNED, "a");
    (void)add(TEST_CLASS, "S.T+In", TEST_END_UNKNOWN, "cd");
    assert_redundant("BC");
    facts->tests[1].end = TEST_THREW;
    facts->tests[2].end = TEST_THREW;
    assert_redundant("");
}

static void what_a_set_up_hits_is_nothing_that_a_test_adds(void **state)
{
    (void)state;
    (void)add_test("A", "a");
    (void)add_test("B", "cd");
    (void)add(TEST_CLASS, "S.T+In", TEST_END_UNKNOWN, "cd");
    assert_redundant("B");
}

static void what_runs_outside_stays(void **state)
{
    (void)state;
    (void)add_test("A", "ab");
    (void)add_test("B", "c");
    (void)add(TEST_CLASS, "Fixture", TEST_END_UNKNOWN, "a");
    (void)add(TEST_STATIC, "N.Order", TEST_END_UNKNOWN, "b");
    (void)add(TEST_OUTSIDE, "", TEST_END_UNKNOWN, "d");
    assert_redundant("A");
    assert_weights((const struct test_weight[]){{2, 0}, {1, 1}, {1, 0}, {1, 0}, {1, 1}});
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_facts, close_arena)
static const struct CMUnitTest tests[] = {
    TEST(test_is_worth_what_it_alone_hits),
    TEST(of_equal_tests_the_first_stays),
    TEST(part_of_another_test_is_redundant),
    TEST(what_others_hit_together_is_redundant),
    TEST(all_that_are_redundant_can_be_left_out_together),
    TEST(tests_that_differ_are_not_redundant),
    TEST(excluded_code_is_nothing_that_a_test_adds),
    TEST(test_that_hits_nothing_is_redundant),
    TEST(test_that_threw_neither_is_redundant_nor_makes_others_so),
    TEST(test_assembly_that_is_reported_does_not_count),
    TEST(set_up_is_lost_with_the_last_test_of_its_class),
    TEST(what_a_set_up_hits_is_nothing_that_a_test_adds),
    TEST(what_runs_outside_stays),
};
UNIT_TESTS(tests);

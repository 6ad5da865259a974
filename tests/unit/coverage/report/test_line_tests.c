/* test_line_tests.c - which tests ran a line of a report: those that hit a statement of which the
 * line's hits come, in any build; and what each line says is what `ilcov tests` says of it. */
#include "coverage/session/covering.h"
#include "tests/support/check.h"
#include "tests/support/hand_facts.h"
#include "tests/support/test_arena.h"
#include "tests/support/whole_report.h"

enum {
    TESTS = 5
};

static struct hand hand;
static struct facts *const facts = &hand.facts;
static struct fact_test tests_room[TESTS + 2];
static struct fact_hits hits_room[16];
static struct test_sets sets;
static struct report_options options;

static int open_facts(void **state)
{
    (void)open_arena(state);
    hand_open(&hand, &arena);
    facts->tests = tests_room;
    facts->hits = hits_room;
    facts->test_count = facts->hits_count = 0;
    options = (struct report_options){.root = STR("/r")};
    return 0;
}

static void add_tests(void)
{
    static const char *const names[] = {"T.A", "T.B", "T.C", "T.D", "T.E"};
    (void)hand_run(&hand, 1, RUN_MEASURED);
    for (uint32_t i = 0; i < TESTS; i++)
        facts->tests[i] = (struct fact_test){.name = str_of(names[i])};
    facts->tests[TESTS] = (struct fact_test){.name = STR("T"), .kind = TEST_CLASS};
    facts->tests[TESTS + 1] = (struct fact_test){.name = STR(""), .kind = TEST_OUTSIDE};
    facts->test_count = TESTS + 2;
}

/* The n-th statement of a module was hit by tests; it counts 3 then. */
static void hit(uint32_t module, uint32_t statement, struct view tests)
{
    uint32_t count = facts->modules[module].statements[statement].count;
    struct fact_hits *hits = &facts->hits[facts->hits_count++];
    hits->module = module;
    assert_true(view_copy(&hits->counts, BYTES_VIEW((uint8_t)count, 1), &arena, NULL));
    assert_true(view_copy(&hits->tests, tests, &arena, NULL));
    for (uint32_t i = 0; i < facts->counts_count; i++)
        if (facts->counts[i].module == module)
            facts->counts[i].counts[count] = 3;
}

static struct report build(void)
{
    struct report report;
    struct err err = {0};
    if (!facts_sort(facts, &arena, &err) || !test_sets_open(&sets, facts, &arena, &err))
        fail_msg("%s", err.text);
    options.tests = &sets;
    if (!whole_report_build(&report, facts, &options, &arena, &err))
        fail_msg("%s", err.text);
    return report;
}

static const struct report_line *line_of(const struct report_package *package, uint32_t number)
{
    for (uint32_t c = 0; c < package->class_count; c++)
        for (uint32_t i = 0; i < package->classes[c].lines.count; i++)
            if (package->classes[c].lines.lines[i].number == number)
                return &package->classes[c].lines.lines[i];
    fail_msg("no line %u", number);
    return NULL;
}

/* By index of test: in one of the sets of the line? */
static void mark(bool *has, const struct line_tests *tests)
{
    uint32_t first, end;
    memset(has, 0, sets.test_count);
    if (tests == NULL)
        return;
    struct index_runs runs = index_set_runs(tests->sets);
    while (index_set_next(&runs, &first, &end))
        for (uint32_t set = first; set < end; set++)
            index_set_mark(has, sets.sets[set]);
}

/* Each line that ran says what covering_tests does. */
static void says_what_tests_say(uint32_t *lines, const struct report_package *package)
{
    bool has[TESTS + 2];
    for (uint32_t c = 0; c < package->class_count; c++)
        for (uint32_t i = 0; i < package->classes[c].lines.count; i++) {
            const struct report_line *line = &package->classes[c].lines.lines[i];
            struct wanted_code wanted;
            struct err err = {0};
            bool *covering;
            uint32_t count = 0;
            assert_true(wanted_code_open(&wanted, facts, &arena, &err));
            assert_true(wanted_code_add_lines(&wanted, package->classes[c].file, line->number,
                                              line->number, &err));
            assert_true(covering_tests(&covering, &wanted, &err));
            mark(has, line->tests);
            assert_memory_equal(has, covering, sets.test_count);
            for (uint32_t t = 0; t < TESTS; t++)
                count += covering[t];
            assert_int_equal(line->tests != NULL ? line->tests->test_count : 0, count);
            ++*lines;
        }
}

static void line_is_run_by_who_hits_its_statements(void **state)
{
    (void)state;
    add_tests();
    hand_module(&hand, "App", 1);
    (void)hand_method(&hand, "N.C", "M", "()", "a b c d");
    hand_lay_out(&hand);
    (void)hand_counts(&hand, 0, 0);
    hit(0, 0, BYTES_VIEW(0, 2));       /* A B */
    hit(0, 0, BYTES_VIEW(1, 2, 3, 1)); /* B C, outside */
    hit(0, 1, BYTES_VIEW(5, 2));       /* class, outside */
    hit(0, 3, BYTES_VIEW(4, 1));       /* E */
    facts->modules[0].statements[3].start_line = facts->modules[0].statements[3].end_line = 2;
    struct report report = build();
    const struct report_package *package = report.packages;
    assert_ptr_equal(report.tests, &sets);
    assert_int_equal(line_of(package, 1)->tests->test_count, 3);
    assert_int_equal(line_of(package, 2)->tests->test_count, 1); /* of its second statement */
    assert_null(line_of(package, 3)->tests);
    assert_null(package->classes[0].methods[0].lines.lines[0].tests);
    uint32_t lines = 0;
    says_what_tests_say(&lines, package);
    assert_int_equal(lines, 3);
}

/* Lines 1 to 5 of a call, and on 3 a lambda that nobody called. */
static void who_makes_a_call_does_not_run_a_lambda_in_it(void **state)
{
    (void)state;
    add_tests();
    hand_module(&hand, "App", 1);
    (void)hand_method(&hand, "N.C", "M", "()", "a b");
    hand_lay_out(&hand);
    (void)hand_counts(&hand, 0, 0);
    facts->modules[0].statements[0].end_line = 5;
    facts->modules[0].statements[1].start_line = facts->modules[0].statements[1].end_line = 3;
    hit(0, 0, BYTES_VIEW(0, 1));
    struct report report = build();
    assert_int_equal(line_of(report.packages, 1)->tests->test_count, 1);
    assert_int_equal(line_of(report.packages, 3)->hits, 0);
    assert_null(line_of(report.packages, 3)->tests);
    assert_int_equal(line_of(report.packages, 5)->tests->test_count, 1);
    uint32_t lines = 0;
    says_what_tests_say(&lines, report.packages);
}

/* Of two builds with the same code, only the newer one is shown: with the tests of both. */
static void builds_add_up(void **state)
{
    (void)state;
    add_tests();
    for (uint8_t i = 1; i <= 2; i++) {
        hand_module(&hand, "App", i);
        (void)hand_method(&hand, "N.C", "M", "()", "a b");
    }
    hand_lay_out(&hand);
    (void)hand_counts(&hand, 0, 0);
    (void)hand_counts(&hand, 0, 1);
    hit(0, 0, BYTES_VIEW(0, 2));
    hit(1, 0, BYTES_VIEW(1, 2));
    hit(1, 1, BYTES_VIEW(4, 1));
    struct report report = build();
    assert_int_equal(report.package_count, 1);
    assert_int_equal(line_of(report.packages, 1)->hits, 6);
    assert_int_equal(line_of(report.packages, 1)->tests->test_count, 3);
    assert_int_equal(line_of(report.packages, 2)->tests->test_count, 1);
}

static void lines_of_all_packages_have_them(void **state)
{
    uint32_t lines = 0;
    (void)state;
    add_tests();
    hand_module(&hand, "App", 1);
    (void)hand_method(&hand, "N.C", "M", "()", "a b c");
    hand_module(&hand, "Lib", 2);
    (void)hand_method(&hand, "N.D", "M", "()", "a b c");
    hand_lay_out(&hand);
    facts->modules[1].documents->relative = STR("B.cs");
    (void)hand_counts(&hand, 0, 0);
    (void)hand_counts(&hand, 0, 1);
    hit(0, 0, BYTES_VIEW(0, 2));
    hit(0, 2, BYTES_VIEW(3, 2));
    hit(1, 1, BYTES_VIEW(2, 1, 3, 1));
    struct report report = build();
    for (uint32_t i = 0; i < report.package_count; i++)
        says_what_tests_say(&lines, &report.packages[i]);
    assert_int_equal(lines, 6);
}

static void nothing_is_told_where_nobody_asks(void **state)
{
    struct report report;
    struct err err = {0};
    (void)state;
    add_tests();
    hand_module(&hand, "App", 1);
    (void)hand_method(&hand, "N.C", "M", "()", "a");
    hand_lay_out(&hand);
    (void)hand_counts(&hand, 0, 0);
    hit(0, 0, BYTES_VIEW(0, 2));
    assert_true(facts_sort(facts, &arena, &err));
    assert_true(whole_report_build(&report, facts, &options, &arena, &err));
    assert_null(report.tests);
    assert_int_equal(line_of(report.packages, 1)->hits, 3);
    assert_null(line_of(report.packages, 1)->tests);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_facts, close_arena)

static const struct CMUnitTest tests[] = {
    TEST(line_is_run_by_who_hits_its_statements),
    TEST(who_makes_a_call_does_not_run_a_lambda_in_it),
    TEST(builds_add_up),
    TEST(lines_of_all_packages_have_them),
    TEST(nothing_is_told_where_nobody_asks),
};
UNIT_TESTS(tests);

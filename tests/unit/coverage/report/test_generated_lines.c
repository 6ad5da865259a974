/* test_generated_lines.c - what a generator wrote is in no line, total and list of methods, and is
 * counted apart; a line that it shares with the user's code is the user's; on request it counts as
 * if nothing had been marked. */

#include <stdio.h>

#include "coverage/report/outside.h"
#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/whole_report.h"

static struct arena arena;
static struct facts facts;

static struct report build(bool include_generated)
{
    static struct report_options options;
    struct report report;
    struct err err = {0};
    options = (struct report_options){.include_generated = include_generated};
    if (!whole_report_build(&report, &facts, &options, &arena, &err))
        fail_msg("%s", err.text);
    return report;
}

/* "Order.cs:12-14 3", in lines of text. */
static const char *generated(const struct report *report)
{
    static char out[1024];
    size_t len = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < report->generated_count; i++) {
        const struct report_exclusion *e = &report->generated[i];
        int n = snprintf(out + len, sizeof out - len, "%.*s:%u-%u %u %u\n", STR_ARGS(e->file),
                         e->first_line, e->last_line, e->line_count, e->reason->code);
        assert_in_range(n, 1, sizeof out - len - 1);
        len += (size_t)n;
    }
    return out;
}

static const struct report_class *find_class(const struct report *report, const char *file,
                                             const char *name)
{
    for (uint32_t p = 0; p < report->package_count; p++)
        for (uint32_t c = 0; c < report->packages[p].class_count; c++)
            if (str_is(report->packages[p].classes[c].file, file) &&
                str_is(report->packages[p].classes[c].name, name))
                return &report->packages[p].classes[c];
    return NULL;
}

static bool has_line(const struct report *report, uint32_t number)
{
    static const char *const types[] = {"Shop.Order", "Shop.Order/Inner"};
    for (size_t t = 0; t < ARRAY_LEN(types); t++) {
        const struct report_class *class = find_class(report, "src/Core/Order.cs", types[t]);
        for (uint32_t i = 0; class != NULL && i < class->lines.count; i++)
            if (class->lines.lines[i].number == number)
                return true;
    }
    return false;
}

static void mark_method(uint32_t module, uint32_t method)
{
    facts.modules[module].methods[method].generated = reason_of(REASON_GENERATED_ATTRIBUTE);
}

static void same_totals(const struct report *a, const struct report *b)
{
    assert_memory_equal(&a->totals, &b->totals, sizeof a->totals);
}

static void nothing_is_generated_that_is_not_marked(void **state)
{
    (void)state;
    struct report report = build(false), all = build(true);
    assert_string_equal(generated(&report), "");
    same_totals(&report, &all);
}

/* Line 4 is the only one of the file, copied into both constructors, which count once for each
 * file. */
static void file_is_left_out(void **state)
{
    (void)state;
    struct report before = build(false);
    facts.modules[FIXTURE_CORE].documents[0].generated = reason_of(REASON_GENERATED_HEADER);
    struct report report = build(false), all = build(true);
    assert_string_equal(generated(&report), "src/Core/Order.Parts.cs:4-4 1 54\n");
    assert_null(find_class(&report, "src/Core/Order.Parts.cs", "Shop.Order"));
    assert_int_equal(report.totals.lines_valid, before.totals.lines_valid - 1);
    assert_int_equal(report.totals.methods_valid, before.totals.methods_valid - 2);
    same_totals(&before, &all);
    assert_string_equal(generated(&all), "");
}

/* Total is lines 12 to 14, with two conditions, in both builds. */
static void method_is_left_out(void **state)
{
    (void)state;
    struct report before = build(false);
    mark_method(FIXTURE_CORE, 2);
    mark_method(FIXTURE_CORE_9, 0);
    struct report report = build(false), all = build(true);
    assert_string_equal(generated(&report), "src/Core/Order.cs:12-14 3 50\n");
    assert_false(has_line(&report, 12));
    assert_int_equal(report.totals.lines_valid, before.totals.lines_valid - 3);
    assert_int_equal(report.totals.branches_valid, before.totals.branches_valid - 4);
    assert_int_equal(report.totals.methods_valid, before.totals.methods_valid - 1);
    assert_int_equal(report.omission_count, before.omission_count);
    same_totals(&before, &all);
}

/* Only one build is marked: the other one has the lines. */
static void line_of_another_build_is_the_users(void **state)
{
    (void)state;
    mark_method(FIXTURE_CORE, 2);
    struct report report = build(false);
    assert_string_equal(generated(&report), "");
    assert_true(has_line(&report, 12));
}

/* Line 50 holds Twice and the first statement of Inner.Once; line 32 the lambda of Large, which is
 * lines 30 to 34. */
static void shared_line_is_the_users(void **state)
{
    (void)state;
    mark_method(FIXTURE_CORE, 8);
    struct report report = build(false);
    assert_true(has_line(&report, 50));
    assert_string_equal(generated(&report), "");
    mark_method(FIXTURE_CORE, 9);
    report = build(false);
    assert_false(has_line(&report, 50));
    assert_string_equal(generated(&report), "src/Core/Order.cs:50-51 2 50\n");
}

static void lambda_goes_with_its_method(void **state)
{
    (void)state;
    mark_method(FIXTURE_CORE, 5);
    struct report report = build(false);
    assert_false(has_line(&report, 32));
    assert_string_equal(generated(&report), "src/Core/Order.cs:30-34 5 50\n");
}

/* Dump is excluded, whoever wrote it: line 42 is no generated one. */
static void exclusion_comes_first(void **state)
{
    (void)state;
    mark_method(FIXTURE_CORE, 7);
    facts.modules[FIXTURE_CORE].methods[12].generated = reason_of(REASON_GENERATED_ATTRIBUTE);
    struct report report = build(false);
    assert_string_equal(generated(&report), "");
    assert_int_equal(report.exclusion_count, 1);
    assert_int_equal(report.exclusions[0].first_line, 42);
}

static void assembly_without_users_code_says_so(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < facts.module_count; i++)
        for (uint32_t d = 0; d < facts.modules[i].document_count; d++)
            facts.modules[i].documents[d].generated = reason_of(REASON_GENERATED_FOLDER);
    struct report report = build(false);
    assert_int_equal(report.totals.lines_valid, 0);
    assert_true(reason_is(report.first_empty.reason, REASON_ALL_GENERATED));
}

/* So that no gate waits for sources that nobody wrote. */
static void generated_file_outside_the_root_is_not_missed(void **state)
{
    struct outside found;
    struct err err = {0};
    struct fact_module *core = &facts.modules[FIXTURE_CORE];
    (void)state;
    core->documents[2].reason = reason_of(REASON_OUTSIDE_ROOT);
    for (int include = 0; include < 2; include++)
        for (int marked = 0; marked < 2; marked++) {
            const struct report_options options = {.include_generated = include != 0};
            core->documents[2].generated = marked ? reason_of(REASON_GENERATED_NAME) : NULL;
            assert_true(outside_find(&found, &facts, &options, &arena, &err));
            uint32_t ours = 0;
            for (uint32_t i = 0; i < found.count; i++)
                ours += str_is(found.modules[i].name, "Shop.Core");
            assert_int_equal(ours, include != 0 || marked == 0);
        }
}

static int open_facts(void **state)
{
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    fixture_facts(&facts, &arena);
    return 0;
}

static int close_facts(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_facts, close_facts)

static const struct CMUnitTest tests[] = {
    TEST(nothing_is_generated_that_is_not_marked),
    TEST(file_is_left_out),
    TEST(method_is_left_out),
    TEST(line_of_another_build_is_the_users),
    TEST(shared_line_is_the_users),
    TEST(lambda_goes_with_its_method),
    TEST(exclusion_comes_first),
    TEST(assembly_without_users_code_says_so),
    TEST(generated_file_outside_the_root_is_not_missed),
};
UNIT_TESTS(tests);

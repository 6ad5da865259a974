/* test_excluded_lines.c - the lines that a report lacks because somebody excluded them are counted
 * once each, with the reason; lines that it has are not. */
#include "coverage/report/excluded_lines.h"

#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/whole_report.h"

static struct arena arena;
static struct facts facts;

static struct report build(const struct report_options *options)
{
    struct report report;
    struct err err = {0};
    if (!whole_report_build(&report, &facts, options, &arena, &err))
        fail_msg("%s", err.text);
    return report;
}

/* Its exclusions in lines of text. */
static const char *describe(const struct report *report)
{
    static char out[2048];
    size_t len = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < report->exclusion_count; i++) {
        const struct report_exclusion *e = &report->exclusions[i];
        struct str why;
        assert_true(reason_text(&why, e->reason, &arena, NULL));
        int n =
            snprintf(out + len, sizeof out - len, "%.*s %.*s:%u-%u %u %.*s\n", STR_ARGS(e->module),
                     STR_ARGS(e->file), e->first_line, e->last_line, e->line_count, STR_ARGS(why));
        assert_in_range(n, 1, sizeof out - len - 1);
        len += (size_t)n;
    }
    return out;
}

static struct fact_statement *statement(uint32_t module, uint32_t line, uint32_t nth)
{
    for (uint32_t i = 0; i < facts.modules[module].statement_count; i++)
        if (facts.modules[module].statements[i].start_line == line && nth-- == 0)
            return &facts.modules[module].statements[i];
    fail_msg("no statement on line %u", line);
    return NULL;
}

static const struct report_line *find_line(const struct report *report, const char *file,
                                           uint32_t number)
{
    for (uint32_t p = 0; p < report->package_count; p++)
        for (uint32_t c = 0; c < report->packages[p].class_count; c++) {
            const struct report_class *class = &report->packages[p].classes[c];
            for (uint32_t i = 0; i < class->lines.count; i++)
                if (str_is(class->file, file) && class->lines.lines[i].number == number)
                    return &class->lines.lines[i];
        }
    return NULL;
}

static void methods_that_are_excluded_are_counted(void **state)
{
    struct report report = build(&(struct report_options){0});
    (void)state;
    assert_string_equal(describe(&report),
                        "Shop.Core src/Core/Order.cs:42-42 1 ExcludeFromCodeCoverage\n");
}

static void statement_with_a_reason_is_not_a_line(void **state)
{
    (void)state;
    for (uint32_t module = 0; module < 2; module++) { /* two builds of the assembly */
        statement(module, 13, 0)->reason = COMMENT_REASON("a");
        statement(module, 12, 0)->reason = COMMENT_REASON("a");
        for (uint32_t i = 0; i < facts.modules[module].decision_count; i++)
            if (facts.modules[module].decisions[i].line == 12)
                facts.modules[module].decisions[i].reason = COMMENT_REASON("a");
    }
    struct report all = build(&(struct report_options){0});
    assert_null(find_line(&all, "src/Core/Order.cs", 12));
    assert_null(find_line(&all, "src/Core/Order.cs", 13));
    assert_non_null(find_line(&all, "src/Core/Order.cs", 14));
    assert_string_equal(describe(&all),
                        "Shop.Core src/Core/Order.cs:12-13 2 ilcov:ignore: a\n"
                        "Shop.Core src/Core/Order.cs:42-42 1 ExcludeFromCodeCoverage\n");
}

static void line_that_another_build_has_is_not_excluded(void **state)
{
    (void)state;
    statement(0, 13, 0)->reason = reason_of(REASON_COMMENT);
    struct report report = build(&(struct report_options){0});
    assert_non_null(find_line(&report, "src/Core/Order.cs", 13));
    assert_string_equal(describe(&report),
                        "Shop.Core src/Core/Order.cs:42-42 1 ExcludeFromCodeCoverage\n");
}

/* Lines 30 to 34 are one statement, line 32 is a lambda's. */
static void lines_of_a_lambda_are_not_those_of_the_statement_around(void **state)
{
    (void)state;
    statement(0, 32, 0)->reason = ERROR_REASON("a");
    struct report report = build(&(struct report_options){0});
    assert_null(find_line(&report, "src/Core/Order.cs", 32));
    assert_non_null(find_line(&report, "src/Core/Order.cs", 31));
    assert_non_null(find_line(&report, "src/Core/Order.cs", 33));
    assert_string_equal(describe(&report),
                        "Shop.Core src/Core/Order.cs:32-32 1 a\n"
                        "Shop.Core src/Core/Order.cs:42-42 1 ExcludeFromCodeCoverage\n");
    statement(0, 32, 0)->reason = NULL;
    statement(0, 30, 0)->reason = ERROR_REASON("b");
    report = build(&(struct report_options){0});
    assert_null(find_line(&report, "src/Core/Order.cs", 31));
    assert_non_null(find_line(&report, "src/Core/Order.cs", 32));
    assert_string_equal(describe(&report),
                        "Shop.Core src/Core/Order.cs:30-31 2 b\n"
                        "Shop.Core src/Core/Order.cs:33-34 2 b\n"
                        "Shop.Core src/Core/Order.cs:42-42 1 ExcludeFromCodeCoverage\n");
}

/* What was not asked for (-i) and what lies outside the root was not excluded. */
static void only_what_was_excluded_counts(void **state)
{
    (void)state;
    facts.modules[0].methods[7].reason = reason_of(REASON_NOT_INCLUDED);
    facts.modules[0].methods[12].reason = reason_of(REASON_NOT_INCLUDED);
    struct report report = build(&(struct report_options){0});
    assert_string_equal(describe(&report), "");
}

static void options_of_the_report_count_as_well(void **state)
{
    static const struct str files[] = {{"**/Order.Parts.cs", 17}};
    struct pattern inner;
    (void)state;
    assert_true(pattern_parse(&inner, STR("[*]*/Inner"), NULL));
    struct report report = build(&(struct report_options){
        .exclude = &inner, .exclude_count = 1, .exclude_files = files, .exclude_file_count = 1});
    assert_string_equal(describe(&report),
                        "Shop.Core src/Core/Order.Parts.cs:4-4 1 excluded by --exclude-files\n"
                        "Shop.Core src/Core/Order.cs:42-42 1 ExcludeFromCodeCoverage\n"
                        "Shop.Core src/Core/Order.cs:51-51 1 excluded by -x\n");
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
    TEST(methods_that_are_excluded_are_counted),
    TEST(statement_with_a_reason_is_not_a_line),
    TEST(line_that_another_build_has_is_not_excluded),
    TEST(lines_of_a_lambda_are_not_those_of_the_statement_around),
    TEST(only_what_was_excluded_counts),
    TEST(options_of_the_report_count_as_well),
};
UNIT_TESTS(tests);

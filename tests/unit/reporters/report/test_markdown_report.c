/* test_markdown_report.c - the summary in Markdown says the totals, the verdicts and where most is
 * missed, and fits into a comment. */
#include "coverage/diff/gate.h"
#include "coverage/report/report_build.h"
#include "reporters/report/report_formats.h"

#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/golden.h"
#include "tests/support/test_arena.h"
#include "tests/support/written.h"

enum {
    COMMENT_MOST = 65536 /* characters that GitHub takes */
};

static struct str written(const struct format_job *job)
{
    return written_by(format_find(report_formats, STR("markdown")), job, &arena);
}

static struct str written_report(const struct report *report)
{
    return written(&(const struct format_job){.report = report});
}

static void fixture_is_written_as_expected(void **state)
{
    struct facts facts;
    struct report report;
    struct report_options options = {.timestamp = 1700000123};
    (void)state;
    fixture_facts(&facts, &arena);
    assert_true(report_build(&report, &facts, &options, &arena, NULL));
    assert_true(golden_matches("fixture.md", written_report(&report), &arena));
}

/* A report of one assembly with so many files, each with a line that ran and one that did not. */
static struct report report_of_files(uint32_t count, const char *name)
{
    static struct report_line lines[2] = {{.number = 1, .hits = 1}, {.number = 7}};
    static struct report_package package;
    struct report_class *classes = ARENA_NEW(&arena, struct report_class, count, NULL);
    assert_non_null(classes);
    for (uint32_t i = 0; i < count; i++) {
        classes[i] = (struct report_class){.name = STR("T"),
                                           .lines = {.lines = lines, .count = 2},
                                           .first_miss = 7,
                                           .totals = {.lines_valid = 2, .lines_covered = 1}};
        assert_true(text_format(&classes[i].file, &arena, NULL, "%s%06u.cs", name, i));
    }
    package =
        (struct report_package){.name = STR("Shop"), .classes = classes, .class_count = count};
    package.totals =
        (struct report_totals){.lines_valid = (uint64_t)count * 2, .lines_covered = count};
    return (struct report){.packages = &package, .package_count = 1, .totals = package.totals};
}

static void each_table_ends_so_that_the_whole_fits_into_a_comment(void **state)
{
    char name[512];
    struct gate_result *gates = ARENA_NEW(&arena, struct gate_result, 1000, NULL);
    (void)state;
    memset(name, '*', sizeof name - 1); /* each a character reference */
    name[sizeof name - 1] = '\0';
    struct report report = report_of_files(5000, name);
    struct report_package *packages = ARENA_NEW(&arena, struct report_package, 1000, NULL);
    assert_non_null(gates);
    assert_non_null(packages);
    for (size_t i = 0; i < 1000; i++) {
        packages[i] = report.packages[0];
        packages[i].name = gates[i].name = gates[i].why = str_of(name);
        packages[i].class_count = i == 0 ? 5000 : 0;
    }
    report.packages = packages;
    report.package_count = 1000;
    struct str text =
        written(&(const struct format_job){.report = &report, .gates = gates, .gate_count = 1000});
    assert_true(text.len < COMMENT_MOST);
    assert_non_null(strstr(text.text, " more |\n| **Total** |"));
    assert_non_null(strstr(text.text, " more files\n\n</details>\n"));
}

static void what_was_left_out_is_counted(void **state)
{
    uint32_t shown = 0, more = 0;
    (void)state;
    struct report report = report_of_files(3000, "src/A");
    struct str text = written_report(&report);
    for (const char *row = text.text; (row = strstr(row, "| 1 of 2 | 7 |  |")) != NULL; row++)
        shown++;
    const char *end = strstr(text.text, "\xE2\x80\xA6 and ");
    assert_non_null(end);
    assert_int_equal(sscanf(end, "\xE2\x80\xA6 and %u more files", &more), 1);
    assert_int_equal(shown + more, 3000);
}

static void lines_that_did_not_run_say_why(void **state)
{
    static const struct fact_statement thrower = {.start_line = 3};
    static const struct fact_decision asked = {.span.start_line = 5, .words = WORDS_FALSE_TRUE};
    static const struct report_why whys[] = {
        {.roots = {{.kind = CAUSE_COMPLETED, .statement = &thrower}}, .root_count = 1},
        {.roots = {{.kind = CAUSE_ENTRY},
                   {.kind = CAUSE_OUTCOME, .decision = &asked, .outcome = 1}},
         .root_count = 2},
    };
    static struct report_line lines[6] = {{.number = 3, .hits = 1}};
    (void)state;
    for (uint32_t i = 1; i < ARRAY_LEN(lines); i++)
        lines[i] = (struct report_line){.number = 5 + i, .why = &whys[i % 2]};
    struct report report = report_of_files(1, "A");
    report.packages->classes->lines = (struct report_lines){.lines = lines, .count = 2};
    assert_non_null(strstr(written_report(&report).text,
                           "| 6<br>6: the method was never called; a condition on line 5 was never "
                           "true |  |\n"));
    report.packages->classes->lines =
        (struct report_lines){.lines = lines, .count = ARRAY_LEN(lines)};
    assert_non_null(
        strstr(written_report(&report).text,
               "<br>7: line 3 never completed: it threw or did not return<br>8: the method was "
               "never called; a condition on line 5 was never true<br>\xE2\x80\xA6 and 2 more | "));
}

static void conditions_that_read_alike_are_said_once(void **state)
{
    static const struct fact_decision asked[] = {{.span.start_line = 5, .words = WORDS_FALSE_TRUE},
                                                 {.span.start_line = 5, .words = WORDS_FALSE_TRUE}};
    static const struct report_why why = {
        .roots = {{.kind = CAUSE_OUTCOME, .decision = &asked[0], .outcome = 1},
                  {.kind = CAUSE_ENTRY},
                  {.kind = CAUSE_OUTCOME, .decision = &asked[1], .outcome = 1}},
        .root_count = 3};
    static struct report_line lines[] = {{.number = 6, .why = &why}};
    (void)state;
    struct report report = report_of_files(1, "A");
    report.packages->classes->lines = (struct report_lines){.lines = lines, .count = 1};
    assert_non_null(strstr(written_report(&report).text,
                           "<br>6: a condition on line 5 was never true; the method was never "
                           "called |  |\n"));
}

static void one_line_says_how_much_generated_code_there_is(void **state)
{
    struct report_exclusion generated[] = {
        {.module = STR("Shop"), .file = STR("A.g.cs"), .line_count = 1},
        {.module = STR("Shop"), .file = STR("A.g.cs"), .line_count = 2},
        {.module = STR("Shop"), .file = STR("B.g.cs"), .line_count = 4}};
    static const char *const said[] = {
        NULL, "\n\n1 line in 1 file is generated code, and not counted.\n\n<details",
        "\n\n3 lines in 1 file are generated code, and not counted.\n\n<details",
        "\n\n7 lines in 2 files are generated code, and not counted.\n\n<details"};
    (void)state;
    struct report report = report_of_files(1, "A");
    assert_null(strstr(written_report(&report).text, "generated"));
    report.generated = generated;
    for (uint32_t i = 1; i < ARRAY_LEN(said); i++) {
        report.generated_count = i;
        assert_non_null(strstr(written_report(&report).text, said[i]));
    }
}

static void verdicts_are_told_with_their_reasons(void **state)
{
    const struct gate_result gates[] = {
        {.name = STR("line>=80"), .failed = true, .why = STR("79.06 % of 43 lines are covered")},
        {.name = STR("lost=0"), .why = STR("")},
    };
    (void)state;
    struct report report = report_of_files(1, "A");
    assert_non_null(strstr(
        written(&(const struct format_job){.report = &report, .gates = gates, .gate_count = 2})
            .text,
        "| Gate | Result |\n"
        "| --- | --- |\n"
        "| <code>line&#62;=80</code> | \xE2\x9D\x8C failed: 79.06 % of 43 lines are "
        "covered |\n"
        "| <code>lost=0</code> | \xE2\x9C\x85 passed |\n"));
}

static void no_name_ends_a_cell_or_opens_an_element(void **state)
{
    (void)state;
    struct report report = report_of_files(1, "a|b</code><script>`@user`\n| x |");
    const char *text = written_report(&report).text;
    assert_non_null(strstr(text,
                           "<code>a&#124;b&#60;/code&#62;&#60;script&#62;&#96;&#64;user&#96;"
                           "\xEF\xBF\xBD&#124; x &#124;000000.cs</code> | 1 of 2 | 7 |  |\n"));
}

static void report_without_lines_is_no_full_coverage(void **state)
{
    const struct report report = {.package_count = 0};
    (void)state;
    assert_non_null(strstr(written_report(&report).text, "### Coverage of no line\n"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(fixture_is_written_as_expected),
    cmocka_unit_test(each_table_ends_so_that_the_whole_fits_into_a_comment),
    cmocka_unit_test(what_was_left_out_is_counted),
    cmocka_unit_test(lines_that_did_not_run_say_why),
    cmocka_unit_test(conditions_that_read_alike_are_said_once),
    cmocka_unit_test(one_line_says_how_much_generated_code_there_is),
    cmocka_unit_test(verdicts_are_told_with_their_reasons),
    cmocka_unit_test(no_name_ends_a_cell_or_opens_an_element),
    cmocka_unit_test(report_without_lines_is_no_full_coverage),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);

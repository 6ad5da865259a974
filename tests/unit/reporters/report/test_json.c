/* test_json.c - the JSON report says what the report holds; its schema is held against it by
 * tests/e2e/test_json.sh. */
#include "coverage/report/report_build.h"
#include "reporters/report/report_formats.h"

#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/golden.h"
#include "tests/support/test_arena.h"
#include "tests/support/written.h"

static struct str written(const struct report *report)
{
    const struct format_job job = {.report = report};
    return written_by(format_find(report_formats, STR("json")), &job, &arena);
}

static struct report report_of(const struct facts *facts)
{
    struct report report;
    static const struct report_options options = {.timestamp = 1700000123};
    assert_true(report_build(&report, facts, &options, &arena, NULL));
    return report;
}

static void fixture_is_written_as_expected(void **state)
{
    struct facts facts;
    (void)state;
    fixture_facts(&facts, &arena);
    struct report report = report_of(&facts);
    assert_true(golden_matches("fixture.json", written(&report), &arena));
}

static void empty_report_is_written_as_expected(void **state)
{
    struct facts facts = {0};
    (void)state;
    struct report report = report_of(&facts);
    assert_true(golden_matches("empty.json", written(&report), &arena));
}

static void text_is_escaped(void **state)
{
    const struct {
        struct str root;
        const char *expected;
    } cases[] = {
        {STR("/a b"), "\"root\": \"/a b\""},
        {STR("C:\\\"a\""), "\"root\": \"C:\\\\\\\"a\\\"\""},
        {STR("a\n\t\x01\x7F"), "\"root\": \"a\\u000a\\u0009\\u0001\\u007f\""},
        {STR("a\0b"), "\"root\": \"a\\u0000b\""},
        {STR("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"),
         "\"root\": \"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\""},
        {STR("a\xC3"), "\"root\": \"a\xEF\xBF\xBD\""},
        {STR("\xED\xA0\x80"), "\"root\": \"\xEF\xBF\xBD"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct report report = {.root = cases[i].root};
        struct str json = written(&report);
        if (strstr(json.text, cases[i].expected) == NULL)
            fail_msg("%s is not in %s", cases[i].expected, json.text);
    }
}

static void counts_are_integers_of_64_bits(void **state)
{
    uint64_t hits[] = {UINT64_MAX, 0};
    struct report_condition condition = {
        .outcome_count = 2, .covered_count = 1, .outcome_hits = hits};
    struct report_line line = {.number = 1,
                               .hits = UINT64_MAX,
                               .conditions = &condition,
                               .condition_count = 1,
                               .outcome_count = 2,
                               .covered_count = 1};
    struct report_class class = {
        .name = STR("T"), .file = STR("T.cs"), .lines = {.lines = &line, .count = 1}};
    struct report_package package = {.name = STR("P"), .classes = &class, .class_count = 1};
    struct report report = {.root = STR("."), .packages = &package, .package_count = 1};
    (void)state;
    assert_non_null(strstr(written(&report).text,
                           "{\"number\": 1, \"hits\": 18446744073709551615, \"conditions\": "
                           "[{\"kind\": \"jump\", \"outcome_hits\": [18446744073709551615, 0]}]}"));
}

static void missed_text_is_columns(void **state)
{
    static const struct column_range missed[] = {{8, 17}, {60000, 0}};
    struct report_line line = {.number = 1, .hits = 3, .missed_count = 2, .missed = missed};
    struct report_class class = {
        .name = STR("T"), .file = STR("T.cs"), .lines = {.lines = &line, .count = 1}};
    struct report_package package = {.name = STR("P"), .classes = &class, .class_count = 1};
    struct report report = {.root = STR("."), .packages = &package, .package_count = 1};
    (void)state;
    assert_non_null(strstr(written(&report).text,
                           "{\"number\": 1, \"hits\": 3, \"conditions\": [], \"missed\": "
                           "[{\"start_column\": 8, \"end_column\": 17}, {\"start_column\": "
                           "60000}]}"));
}

/* With tests, in both formats; a report without has nothing of it, and the version before. */
static void tests_of_a_line_are_sets(void **state)
{
    static struct fact_test all[] = {{.name = {"N.A", 3}, .end = TEST_RETURNED, .rows = 3},
                                     {.name = {"N.B", 3}, .end = TEST_THREW, .rows = 1},
                                     {.name = {"N", 1}, .kind = TEST_CLASS},
                                     {.name = {"", 0}, .kind = TEST_OUTSIDE}};
    struct view sets_of_tests[] = {BYTES_VIEW(0, 3), BYTES_VIEW(1, 1, 1, 1)};
    const struct test_sets sets = {.tests = all,
                                   .test_count = ARRAY_LEN(all),
                                   .method_count = 2,
                                   .sets = sets_of_tests,
                                   .set_count = ARRAY_LEN(sets_of_tests)};
    const struct line_tests tests = {2, BYTES_VIEW(0, 2)};
    struct report_line line = {.number = 1, .hits = 3, .tests = &tests};
    struct report_class class = {
        .name = STR("T"), .file = STR("T.cs"), .lines = {.lines = &line, .count = 1}};
    struct report_package package = {.name = STR("P"), .classes = &class, .class_count = 1};
    struct report report = {
        .root = STR("."), .packages = &package, .package_count = 1, .tests = &sets};
    const struct format_job job = {.report = &report};
    (void)state;
    const char *json = written(&report).text;
    const char *jsonl = written_by(format_find(report_formats, STR("jsonl")), &job, &arena).text;
    assert_non_null(strstr(json, "{\n  \"schema\": \"1.0.0\","));
    assert_non_null(strstr(
        json, "  \"tests\": [\n"
              "    {\"name\": \"N.A\", \"kind\": \"test\", \"ended\": \"returned\", \"rows\": 3},\n"
              "    {\"name\": \"N.B\", \"kind\": \"test\", \"ended\": \"threw\", \"rows\": 1},\n"
              "    {\"name\": \"N\", \"kind\": \"class\", \"ended\": \"unknown\", \"rows\": 0},\n"
              "    {\"name\": \"\", \"kind\": \"outside\", \"ended\": \"unknown\", \"rows\": 0}\n"
              "  ],\n"
              "  \"test_sets\": [\n"
              "    [[0, 2]],\n"
              "    [[1, 1], [3, 3]]\n"
              "  ],\n"));
    const char *of_line = "{\"number\": 1, \"hits\": 3, \"conditions\": [], \"tests\": 2, "
                          "\"test_sets\": [0, 1]}";
    assert_non_null(strstr(json, of_line));
    assert_non_null(strstr(jsonl, of_line));
    assert_non_null(strstr(jsonl, "\n{\"kind\": \"test\", \"test\": {\"name\": \"N.A\","));
    assert_non_null(strstr(jsonl, "\n{\"kind\": \"test_set\", \"tests\": [[1, 1], [3, 3]]}\n"
                                  "{\"kind\": \"package\","));
    assert_non_null(strstr(jsonl, "\"schema\": \"1.0.0\""));
    report.tests = NULL;
    line.tests = NULL;
    json = written(&report).text;
    assert_non_null(strstr(json, "{\n  \"schema\": \"1.0.0\","));
    assert_null(strstr(json, "test"));
}

static void equal_reports_give_equal_bytes(void **state)
{
    struct facts facts;
    (void)state;
    fixture_large(&facts, 1000, &arena);
    struct report report = report_of(&facts);
    struct str first = written(&report);
    report = report_of(&facts);
    assert_true(str_eq(first, written(&report)));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(fixture_is_written_as_expected),
    cmocka_unit_test(empty_report_is_written_as_expected),
    cmocka_unit_test(text_is_escaped),
    cmocka_unit_test(counts_are_integers_of_64_bits),
    cmocka_unit_test(missed_text_is_columns),
    cmocka_unit_test(tests_of_a_line_are_sets),
    cmocka_unit_test(equal_reports_give_equal_bytes),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);

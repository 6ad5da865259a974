#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <locale.h>
#include <string.h>

#include "coverage/report/report_build.h"
#include "reporters/report/report_formats.h"
#include "tests/support/cobertura_rules.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/golden.h"
#include "tests/support/test_folder.h"
#include "tests/support/written.h"
#include "tests/unit/unit.h"

static const char dtd[] = "tests/support/cobertura.dtd";

static struct report report_of(const struct facts *facts)
{
    struct report report;
    struct err err = {0};
    static const struct report_options options = {.timestamp = 1700000123};
    assert_true(report_build(&report, facts, &options, &folder.arena, &err));
    return report;
}

static const char *written(const struct report *report, const char *name)
{
    struct err err = {0};
    const char *path = temporary_path(&folder, name);
    if (!format_write(format_find(report_formats, STR("cobertura")), path,
                      &(struct format_job){.report = report}, &err))
        fail_msg("%s", err.text);
    return path;
}

static void assert_sound(const char *path)
{
    assert_int_equal(cobertura_check(path, dtd, stderr), 0);
}

static void fixture_is_written_as_expected(void **state)
{
    struct facts facts;
    (void)state;
    fixture_facts(&facts, &folder.arena);
    struct report report = report_of(&facts);
    const char *path = written(&report, "cobertura.xml");
    assert_sound(path);
    assert_true(
        golden_matches("fixture.cobertura.xml", temporary_read(&folder, path), &folder.arena));
}

static void empty_report_is_sound(void **state)
{
    struct facts facts = {0};
    (void)state;
    struct report report = report_of(&facts);
    const char *path = written(&report, "cobertura.xml");
    assert_sound(path);
    assert_true(
        golden_matches("empty.cobertura.xml", temporary_read(&folder, path), &folder.arena));
}

static void large_report_is_sound(void **state)
{
    struct facts facts;
    (void)state;
    fixture_large(&facts, 1000, &folder.arena);
    struct report report = report_of(&facts);
    assert_sound(written(&report, "cobertura.xml"));
}

static uint32_t count_in(struct str text, const char *word)
{
    uint32_t count = 0;
    for (const char *at = text.text; (at = strstr(at, word)) != NULL; at++)
        count++;
    return count;
}

/* The number in `name="..."` of the first element that has it. */
static uint64_t number_of(struct str xml, const char *name)
{
    const char *at = strstr(xml.text, name);
    assert_non_null(at);
    return strtoull(at + strlen(name), NULL, 10);
}

static void parts_are_sound_whatever_their_size(void **state)
{
    struct facts facts;
    struct err err = {0};
    (void)state;
    fixture_facts(&facts, &folder.arena);
    struct report report = report_of(&facts);
    struct str whole = temporary_read(&folder, written(&report, "whole.xml"));
    const char *path = temporary_path(&folder, "out.xml");
    for (uint64_t size = 500; size < whole.len + 600; size += 50) {
        struct format_job job = {.report = &report, .part_bytes = size};
        assert_true(format_write(format_find(report_formats, STR("cobertura")), path, &job, &err));
        unsigned parts = temporary_count(&folder) - 1;
        uint64_t lines = 0;
        uint32_t classes = 0;
        assert_true(parts == 1 || size < whole.len);
        for (unsigned i = 1; i <= parts; i++) {
            char name[32];
            (void)snprintf(name, sizeof name, parts == 1 ? "out.xml" : "out.%u.xml", i);
            const char *part_path = temporary_path(&folder, name);
            struct str part = temporary_read(&folder, part_path);
            assert_sound(part_path);
            classes += count_in(part, "<class ");
            lines += number_of(part, "lines-valid=\"");
            assert_true(part.len <= size || count_in(part, "<class ") == 1);
        }
        assert_int_equal(classes, count_in(whole, "<class "));
        assert_int_equal(lines, number_of(whole, "lines-valid=\""));
    }
}

static void equal_reports_give_equal_bytes(void **state)
{
    struct facts facts;
    (void)state;
    fixture_facts(&facts, &folder.arena);
    struct report report = report_of(&facts);
    struct str first = temporary_read(&folder, written(&report, "first.xml"));
    report = report_of(&facts);
    /* Where there is one, a locale with commas in its numbers. */
    (void)(setlocale(LC_ALL, "de_DE.UTF-8") != NULL || setlocale(LC_ALL, "fr_FR.UTF-8") != NULL);
    struct str second = temporary_read(&folder, written(&report, "second.xml"));
    assert_non_null(setlocale(LC_ALL, "C"));
    assert_true(str_eq(first, second));
}

static void rates_round_down_and_have_no_zeros_at_the_end(void **state)
{
    static const struct {
        uint64_t covered, valid;
        const char *expected;
    } cases[] = {
        {0, 0, "line-rate=\"0\""},          {0, 5, "line-rate=\"0\""},
        {5, 5, "line-rate=\"1\""},          {1, 2, "line-rate=\"0.5\""},
        {2, 3, "line-rate=\"0.6666\""},     {1, 20, "line-rate=\"0.05\""},
        {1, 100000, "line-rate=\"0\""},     {99999, 100000, "line-rate=\"0.9999\""},
        {1, 10000, "line-rate=\"0.0001\""},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct report report = {.root = STR(".")};
        report.totals.lines_covered = cases[i].covered;
        report.totals.lines_valid = cases[i].valid;
        struct str xml = temporary_read(&folder, written(&report, "rate.xml"));
        if (strstr(xml.text, cases[i].expected) == NULL)
            fail_msg("%s is not in %s", cases[i].expected, xml.text);
    }
}

static void partly_covered_is_neither_0_nor_100_percent(void **state)
{
    static const struct {
        uint32_t covered, valid;
        const char *expected;
    } cases[] = {
        {0, 1000, "\"0% (0/1000)\""},      {1, 1000, "\"1% (1/1000)\""},
        {999, 1000, "\"99% (999/1000)\""}, {1000, 1000, "\"100% (1000/1000)\""},
        {2, 3, "\"66% (2/3)\""},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct report_condition condition = {
            .is_switch = true, .outcome_count = cases[i].valid, .covered_count = cases[i].covered};
        struct report_line line = {.number = 1,
                                   .hits = 1,
                                   .conditions = &condition,
                                   .condition_count = 1,
                                   .outcome_count = cases[i].valid,
                                   .covered_count = cases[i].covered};
        struct report_class class = {
            .name = STR("T"), .file = STR("T.cs"), .lines = {.lines = &line, .count = 1}};
        struct report_package package = {.name = STR("P"), .classes = &class, .class_count = 1};
        struct report report = {.root = STR("."), .packages = &package, .package_count = 1};
        const struct format_job job = {.report = &report};
        struct str xml =
            written_by(format_find(report_formats, STR("cobertura")), &job, &folder.arena);
        if (strstr(xml.text, cases[i].expected) == NULL)
            fail_msg("%s is not in %s", cases[i].expected, xml.text);
    }
}

/* --- the rules themselves --------------------------------------------------------------------- */

static const char *with_change(struct str xml, const char *from, const char *to)
{
    const char *at = strstr(xml.text, from);
    struct str changed;
    if (at == NULL)
        fail_msg("%s is not in the file", from);
    struct text t = text_in(&folder.arena);
    text_add(&t, (struct str){xml.text, (size_t)(at - xml.text)});
    text_add_c(&t, to);
    text_add_c(&t, at + strlen(from));
    assert_true(text_take(&changed, &t, NULL));
    return temporary_file(&folder, "changed.xml", changed.text, changed.len);
}

static void rules_find_every_violation(void **state)
{
    static const struct {
        const char *from, *to;
    } cases[] = {
        {"<?xml", "\xEF\xBB\xBF<?xml"},
        {"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", ""},
        {"UTF-8", "utf-8"},
        {" -->", "\n-->"},
        {" -->", " --><!-- two -->"},
        {"<coverage ", "<!-- two -->\n<coverage "},
        {"<coverage ", "<!DOCTYPE coverage>\n<coverage "},
        {"<coverage ", "<coverage name=\"x\" "},
        {"\n<coverage ", "\r\n<coverage "},
        {" timestamp=\"1700000123\"", ""},
        {"timestamp=\"1700000123\"", "timestamp=\"1.5\""},
        {"lines-valid=\"25\"", "lines-valid=\"24\""},
        {"lines-covered=\"20\"", "lines-covered=\"020\""},
        {"branches-valid=\"14\"", "branches-valid=\"15\""},
        {"branches-covered=\"9\"", "branches-covered=\"\""},
        {"complexity=\"23\"", "complexity=\"NaN\""},
        {"line-rate=\"0.8\"", "line-rate=\"0.80\""},
        {"line-rate=\"0.8\"", "line-rate=\"0,8\""},
        {"branch-rate=\"0.6428\"", "branch-rate=\"0.6429\""},
        {"<source>/src/shop</source>", ""},
        {"<source>/src/shop</source>", "<source>/src/shop</source><source>/x</source>"},
        {"<source>/src/shop</source>", "<source>\n/src/shop</source>"},
        {"<source>/src/shop</source>", "<source>shop</source>"},
        {"<sources>", "<sources/><sources>"},
        {"package name=\"Shop.Data\"", "package name=\"Shop.Core\""},
        {"package name=\"Shop.Core\"", "package name=\"Zoo\""},
        {"filename=\"src/Core/Order.Parts.cs\"", "filename=\"src/Core/Order.cs\""},
        {"filename=\"src/Core/Order.Parts.cs\"", "filename=\"/src/Core/Order.Parts.cs\""},
        {"filename=\"src/Core/Order.Parts.cs\"", "filename=\"src\\Core\\Order.Parts.cs\""},
        {"filename=\"src/Core/Order.Parts.cs\"", "filename=\"C:/Order.Parts.cs\""},
        {"filename=\"src/Core/Order.Parts.cs\"", "filename=\"../Order.Parts.cs\""},
        {"filename=\"src/Core/Order.Parts.cs\"", "filename=\"src/../Order.Parts.cs\""},
        {"filename=\"src/Core/Order.Parts.cs\"", "filename=\"\""},
        {"class name=\"Shop.Order/Inner\"", "class name=\"Shop.Order/&lt;&gt;c\""},
        {"class name=\"Shop.Order/Inner\"", "class name=\"Shop.Order$Inner\""},
        {"class name=\"Shop.Order/Inner\"", "class name=\"Shop.Aside\""},
        {"method name=\"Twice\"", "method name=\"&lt;Large&gt;b__5_0\""},
        {"method name=\"Twice\"", "method name=\"Large|1_0\""},
        {"method name=\"Twice\"", "method name=\"Large\""},
        {"name=\".ctor\" signature=\"(System.Int32)\"", "name=\".ctor\" signature=\"()\""},
        {"signature=\"(System.Int32)\"", "signature=\"System.Int32\""},
        {" signature=\"(System.Int32)\"", ""},
        {"<line number=\"7\" hits=\"4\"", "<line number=\"4\" hits=\"4\""},
        {"<line number=\"7\" hits=\"4\"", "<line number=\"5\" hits=\"4\""},
        {"<line number=\"7\" hits=\"4\"", "<line number=\"6\" hits=\"4\""},
        {"<line number=\"7\" hits=\"4\"", "<line number=\"0\" hits=\"4\""},
        {"<line number=\"7\" hits=\"4\"", "<line number=\"16707566\" hits=\"4\""},
        {"<line number=\"7\" hits=\"4\"", "<line number=\"7\" hits=\"0\""},
        {"<line number=\"7\" hits=\"4\"", "<line number=\"7\" hits=\"5\""},
        {"<line number=\"7\" hits=\"4\"", "<line number=\"7\" hits=\"1.0\""},
        {"<line number=\"7\" hits=\"4\"", "<line number=\"7\" hits=\"-1\""},
        {"<line number=\"7\" hits=\"4\" branch=\"false\"", "<line number=\"7\" hits=\"4\""},
        {"<line number=\"7\" hits=\"4\" branch=\"false\"",
         "<line number=\"7\" hits=\"4\" branch=\"False\""},
        {"<line number=\"7\" hits=\"4\" branch=\"false\"",
         "<line number=\"7\" hits=\"4\" branch=\"true\""},
        {"branch=\"false\"/>", "branch=\"false\" condition-coverage=\"100%\"/>"},
        {"branch=\"false\"/>", "branch=\"false\"><conditions/></line>"},
        {"2147483647", "2147483648"},
        {"50% (1/2)", "50%  (1/2)"},
        {"50% (1/2)", "50.0% (1/2)"},
        {"50% (1/2)", "51% (1/2)"},
        {"50% (1/2)", "100% (2/2)"},
        {"50% (1/2)", "100% (1/1)"},
        {"50% (1/2)", "150% (3/2)"},
        {"50% (1/2)", "50% (1/2) "},
        {"hits=\"5\" branch=\"true\"", "hits=\"0\" branch=\"true\""},
        {"type=\"jump\" coverage=\"50%\"", "type=\"jump\" coverage=\"100%\""},
        {"type=\"jump\" coverage=\"50%\"", "type=\"jump\" coverage=\"49%\""},
        {"type=\"jump\"", "type=\"Jump\""},
        {"type=\"jump\"", "type=\"switch\""},
        {"condition number=\"1\"", "condition number=\"2\""},
        {"<conditions>", "<conditions><x/>"},
        {"</methods>\n          <lines>",
         "</methods>\n          <lines><line number=\"1\" hits=\"0\" branch=\"false\"/>"},
        {"<line number=\"51\" hits=\"5\" branch=\"false\"/>", ""},
        {"<line number=\"51\" hits=\"5\" branch=\"false\"/>\n"
         "              </lines>\n"
         "            </method>\n"
         "          </methods>\n"
         "          <lines>\n"
         "            <line number=\"51\" hits=\"5\" branch=\"false\"/>\n",
         "<line number=\"50\" hits=\"5\" branch=\"false\"/></lines></method></methods>"
         "<lines><line number=\"50\" hits=\"5\" branch=\"false\"/>"},
        {"<packages>", "<packages><package name=\"A\" line-rate=\"1\" branch-rate=\"1\" "
                       "complexity=\"0\"><classes/></package>"},
        {"</coverage>", ""},
        {"</packages>", "</packages><packages/>"},
    };
    struct facts facts;
    (void)state;
    fixture_facts(&facts, &folder.arena);
    struct report report = report_of(&facts);
    struct str xml = temporary_read(&folder, written(&report, "cobertura.xml"));
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *printed = NULL;
        size_t printed_len = 0;
        FILE *out = open_memstream(&printed, &printed_len);
        assert_non_null(out);
        unsigned count = cobertura_check(with_change(xml, cases[i].from, cases[i].to), NULL, out);
        assert_int_equal(fclose(out), 0);
        if (count == 0 || printed_len == 0)
            fail_msg("%s instead of %s was not found", cases[i].to, cases[i].from);
        free(printed);
    }
}

static void rules_accept_the_names_of_active_patterns(void **state)
{
    static const char *const names[] = {"|Even|Odd|", "|Even|_|"}; /* as F# names their functions */
    struct facts facts;
    (void)state;
    fixture_facts(&facts, &folder.arena);
    struct report report = report_of(&facts);
    struct str xml = temporary_read(&folder, written(&report, "cobertura.xml"));
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char method[64];
        (void)snprintf(method, sizeof method, "method name=\"%s\"", names[i]);
        assert_sound(with_change(xml, "method name=\"Twice\"", method));
    }
}

static void dtd_refuses_what_has_no_place(void **state)
{
    static const char xml[] =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<coverage version=\"1\"/>\n";
    const char *path = temporary_file(&folder, "bad.xml", xml, sizeof xml - 1);
    char *printed = NULL;
    size_t printed_len = 0;
    FILE *out = open_memstream(&printed, &printed_len);
    (void)state;
    assert_non_null(out);
    assert_true(cobertura_check(path, dtd, out) > 0);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(printed, "not valid against"));
    free(printed);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_folder, close_folder)

static const struct CMUnitTest tests[] = {
    TEST(fixture_is_written_as_expected),
    TEST(empty_report_is_sound),
    TEST(large_report_is_sound),
    TEST(parts_are_sound_whatever_their_size),
    TEST(equal_reports_give_equal_bytes),
    TEST(rates_round_down_and_have_no_zeros_at_the_end),
    TEST(partly_covered_is_neither_0_nor_100_percent),
    TEST(rules_find_every_violation),
    TEST(rules_accept_the_names_of_active_patterns),
    TEST(dtd_refuses_what_has_no_place),
};
UNIT_TESTS(tests);

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf16.h"
#include "coverage/report/report_build.h"
#include "reporters/report/report_formats.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/golden.h"
#include "tests/support/test_arena.h"
#include "tests/support/written.h"

static struct str printed(const struct report *report, bool colour)
{
    const struct format_job job = {.report = report, .colour = colour};
    return written_by(format_find(report_formats, STR("text")), &job, &arena);
}

static struct report fixture_report(void)
{
    struct facts facts;
    struct report report;
    struct err err = {0};
    struct report_options options = {0};
    fixture_facts(&facts, &arena);
    assert_true(report_build(&report, &facts, &options, &arena, &err));
    return report;
}

static void fixture_is_printed_as_expected(void **state)
{
    (void)state;
    struct report report = fixture_report();
    assert_true(golden_matches("fixture.txt", printed(&report, false), &arena));
}

static void colours_are_where_expected(void **state)
{
    (void)state;
    struct report report = fixture_report();
    assert_true(golden_matches("fixture.colour.txt", printed(&report, true), &arena));
}

static void empty_report_is_a_table(void **state)
{
    struct report report = {0};
    (void)state;
    assert_true(golden_matches("empty.txt", printed(&report, false), &arena));
}

static void wide_names_and_numbers_fit(void **state)
{
    struct report_package packages[] = {
        {.name = STR(
             "Company.Product.Department.Component.Subcomponent.Implementation.Abstractions.V1"),
         .not_loaded = true},
        {.name = STR(
             "Company.Product.Department.Component.Subcomponent.Implementation.Abstractions.V2")},
        {.name = STR(
             "\xE6\x97\xA5\xE6\x9C\xAC\xE6\x97\xA5\xE6\x9C\xAC\xE6\x97\xA5\xE6\x9C\xAC\xE6\x97\xA5"
             "\xE6\x9C\xAC\xE6\x97\xA5\xE6\x9C\xAC\xE6\x97\xA5\xE6\x9C\xAC.V3")},
        {.name = STR("e\xCC\x81t\xC3\xA9")},
        {.name = STR("short")},
    };
    struct report_totals totals = {1000000, 999999, 200000, 199999, 30000, 29999, 1};
    struct report report = {
        .packages = packages, .package_count = ARRAY_LEN(packages), .totals = totals};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(packages); i++)
        packages[i].totals = totals;
    struct str text = printed(&report, false);
    assert_true(golden_matches("wide.txt", text, &arena));
    size_t columns = 0;
    for (size_t pos = 0; pos < text.len;) {
        uint32_t c = utf8_next(text.text, text.len, &pos);
        columns = c == '\n' ? 0 : columns + (c != 0x301); /* the accent */
        assert_true(columns <= 100);
    }
}

static void names_cannot_command_a_terminal(void **state)
{
    struct report_package package = {
        .name = STR("a\033[2J\x7F\xC2\x9B\xE2\x80\xAE\xE2\x81\xA6\xFF\nb")};
    struct report report = {.packages = &package, .package_count = 1};
    (void)state;
    struct str text = printed(&report, false);
    assert_null(strchr(text.text, '\033'));
    assert_null(strchr(text.text, '\x7F'));
    assert_null(strstr(text.text, "\xC2\x9B"));
    assert_null(strstr(text.text, "\xE2\x80\xAE"));
    assert_non_null(strstr(text.text, "a\xEF\xBF\xBD[2J"));
    assert_non_null(strstr(text.text, "\xEF\xBF\xBD"
                                      "b "));
}

static void notes_stand_below_the_table(void **state)
{
    struct str notes[] = {STR("attached at noon: what ran before\033 is unknown")};
    struct report report = {.notes = notes, .note_count = 1};
    (void)state;
    struct str text = printed(&report, false);
    assert_true(str_ends(text, "attached at noon: what ran before\xEF\xBF\xBD is unknown\n"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(fixture_is_printed_as_expected),  TEST(colours_are_where_expected),
        TEST(empty_report_is_a_table),         TEST(wide_names_and_numbers_fit),
        TEST(names_cannot_command_a_terminal), TEST(notes_stand_below_the_table),
    };
    return cmocka_run_group_tests_name("text_report", tests, NULL, NULL);
}

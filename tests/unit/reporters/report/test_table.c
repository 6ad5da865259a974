#include <stdio.h>

#include "base/utf16.h"
#include "coverage/report/report_build.h"
#include "reporters/legible.h"
#include "reporters/report/report_formats.h"
#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/golden.h"
#include "tests/support/test_arena.h"
#include "tests/support/written.h"

static struct str printed(const struct report *report, bool colour)
{
    const struct format_job job = {.report = report, .screen = {.colour = colour}};
    return written_by(format_find(report_formats, STR("text")), &job, &arena);
}

static struct report fixture_report(void)
{
    static struct facts facts;
    struct report report;
    struct err err = {0};
    static const struct report_options options;
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
        assert_true(columns <= 80);
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

/* --- the other tables ------------------------------------------------------------------------- */

static struct str no_line(void *context, struct str package, struct str path, uint32_t number)
{
    (void)context, (void)package, (void)path, (void)number;
    return (struct str){NULL, 0};
}

static const struct sources no_sources = {.line = no_line};

static void files_and_misses_are_printed_as_expected(void **state)
{
    static const struct {
        const char *format, *golden;
    } cases[] = {{"files", "fixture.files.txt"}, {"missed", "fixture.missed.txt"}};
    struct report report = fixture_report();
    const struct format_job job = {.report = &report, .sources = &no_sources};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct format *format = format_find(report_formats, str_of(cases[i].format));
        assert_true(golden_matches(cases[i].golden, written_by(format, &job, &arena), &arena));
    }
}

static void empty_reports_are_no_empty_output(void **state)
{
    struct report report = {0};
    const struct format_job job = {.report = &report, .sources = &no_sources};
    (void)state;
    assert_str(written_by(format_find(report_formats, STR("missed")), &job, &arena),
               "No line could be covered.\n");
    report.totals.lines_valid = report.totals.lines_covered = 3;
    assert_str(written_by(format_find(report_formats, STR("missed")), &job, &arena),
               "Nothing was missed.\n");
}

/* On every terminal that is not too narrow for any table. */
static void tables_fit_the_terminal(void **state)
{
    static const char *const formats[] = {"text", "files", "missed"};
    struct report report = fixture_report();
    (void)state;
    for (size_t f = 0; f < ARRAY_LEN(formats); f++)
        for (size_t width = 1; width < 120; width++) {
            const struct format_job job = {.report = &report,
                                           .sources = &no_sources,
                                           .screen = {.columns = width, .ascii = width % 2 == 1}};
            struct str text =
                written_by(format_find(report_formats, str_of(formats[f])), &job, &arena);
            size_t columns = 0, room = width < 40 ? 60 : f == 0 && width > 80 ? 80 : width;
            bool is_heading = false; /* of a file in `missed`, for copying: never cut */
            for (size_t pos = 0; pos < text.len;) {
                uint32_t c = utf8_next(text.text, text.len, &pos);
                assert_true(c < 0x80 || width % 2 == 0);
                is_heading = columns == 0 || c == '\n' ? f == 2 && c != ' ' : is_heading;
                columns = c == '\n' ? 0 : columns + legible_char_width(c);
                assert_true(columns <= room || is_heading);
            }
        }
}

static void many_assemblies_and_files_are_few_lines(void **state)
{
    enum {
        MANY = 300
    };
    static struct report_package packages[MANY];
    static struct report_class classes[MANY];
    static char names[MANY][16];
    struct report report = {.packages = packages, .package_count = MANY};
    size_t lines = 0;
    (void)state;
    for (uint32_t i = 0; i < MANY; i++) {
        (void)snprintf(names[i], sizeof names[i], "src/%03u.cs", i);
        struct report_totals totals = {.lines_valid = MANY, .lines_covered = i};
        classes[i] = (struct report_class){.file = str_of(names[i]), .totals = totals};
        packages[i] = (struct report_package){
            .name = str_of(names[i]), .classes = &classes[i], .class_count = 1, .totals = totals};
        report_add_totals(&report.totals, &totals);
    }
    struct str text = printed(&report, false);
    for (size_t i = 0; i < text.len; i++)
        lines += text.text[i] == '\n';
    assert_true(lines <= 40);
    assert_non_null(strstr(text.text, "and 280 more that miss fewer lines\n"));
    assert_non_null(strstr(text.text, "\n  300 of 300   src/000.cs\n  299 of 300   src/001.cs\n"));
    assert_non_null(strstr(text.text, "and 295 more files: -f files lists all\n"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

static const struct CMUnitTest tests[] = {
    TEST(fixture_is_printed_as_expected),
    TEST(colours_are_where_expected),
    TEST(empty_report_is_a_table),
    TEST(wide_names_and_numbers_fit),
    TEST(names_cannot_command_a_terminal),
    TEST(notes_stand_below_the_table),
    TEST(files_and_misses_are_printed_as_expected),
    TEST(empty_reports_are_no_empty_output),
    TEST(tables_fit_the_terminal),
    TEST(many_assemblies_and_files_are_few_lines),
};
UNIT_TESTS(tests);

/* test_source_view.c - source with its coverage, as a terminal shows it. */
#include <stdio.h>

#include "base/utf16.h"
#include "reporters/condition_words.h"
#include "reporters/legible.h"
#include "reporters/report/source_view.h"
#include "reporters/report/uncovered.h"
#include "tests/support/check.h"
#include "tests/support/no_text.h"
#include "tests/support/test_arena.h"

#define JAPAN "\xE6\x97\xA5\xE6\x9C\xAC"

static const char *const *shown; /* the source's lines, ends with NULL */

static struct str line_of(void *context, struct str package, struct str path, uint32_t number)
{
    (void)context, (void)package, (void)path;
    for (uint32_t i = 0; shown != NULL && shown[i] != NULL; i++)
        if (i + 1 == number)
            return str_of(shown[i]);
    return (struct str){NULL, 0};
}

static const struct sources sources = {.line = line_of, .lack = no_text};

/* A report of one file in one assembly. */
struct one {
    struct report report;
    struct report_package package;
    struct report_class class;
    struct report_file file;
    const struct report_class *classes[1];
};

static void make(struct one *out, struct report_line *lines, uint32_t count)
{
    *out =
        (struct one){.class = {.file = STR("src/a.cs"), .lines = {.lines = lines, .count = count}}};
    for (uint32_t i = 0; i < count; i++) {
        out->class.totals.lines_valid++;
        out->class.totals.lines_covered += lines[i].hits != 0;
        out->class.totals.branches_valid += lines[i].outcome_count;
        out->class.totals.branches_covered += lines[i].covered_count;
    }
    out->package = (struct report_package){
        .name = STR("A"), .classes = &out->class, .class_count = 1, .totals = out->class.totals};
    out->report =
        (struct report){.packages = &out->package, .package_count = 1, .totals = out->class.totals};
    out->classes[0] = &out->class;
    out->file = (struct report_file){.path = out->class.file,
                                     .package = &out->package,
                                     .classes = out->classes,
                                     .class_count = 1,
                                     .totals = out->class.totals};
}

static struct str seen(const struct one *one, const struct line_range *ranges, uint32_t count,
                       uint32_t context, size_t columns)
{
    char *text = NULL;
    size_t len = 0;
    struct err err = {0};
    struct str copy;
    FILE *file = open_memstream(&text, &len);
    assert_non_null(file);
    const struct screen screen = {.file = file, .columns = columns};
    const struct source_view view = {&screen, &one->report, &sources};
    assert_true(source_view_put(&view, &one->file, ranges, count, context, NULL, &err));
    assert_int_equal(fclose(file), 0);
    assert_true(str_copy(&copy, (struct str){text, len}, &arena, &err));
    free(text);
    return copy;
}

static const uint64_t half[] = {3, 0};

static struct report_condition condition(uint32_t line, uint16_t start, uint16_t end)
{
    return (struct report_condition){
        .outcome_count = 2,
        .covered_count = 1,
        .outcome_hits = half,
        .span = {.start_line = line, .end_line = line, .start_column = start, .end_column = end},
        .is_exact = true};
}

static void hits_stand_beside_lines_and_words_below_them(void **state)
{
    static const char *const text[] = {
        "int Total(bool vip)",
        "{",
        "    if (vip && rush)",
        "\treturn 1;",
        "",
        "    return 2;",
        "}",
        NULL,
    };
    struct report_condition rush = condition(3, 16, 20), unknown = condition(6, 0, 0);
    struct report_line lines[] = {
        {.number = 1, .hits = 3},
        {.number = 3,
         .hits = 1234567,
         .conditions = &rush,
         .condition_count = 1,
         .outcome_count = 2,
         .covered_count = 1},
        {.number = 4, .hits = 0},
        {.number = 6,
         .hits = 3,
         .conditions = &unknown,
         .condition_count = 1,
         .outcome_count = 2,
         .covered_count = 1},
    };
    struct one one;
    (void)state;
    shown = text;
    make(&one, lines, ARRAY_LEN(lines));
    assert_str(seen(&one, NULL, 0, 0, 0),
               "src/a.cs: 3 of 4 lines, 2 of 4 branches covered\n\n"
               "   1       3    int Total(bool vip)\n"
               "   2            {\n"
               "   3 1234567 ~      if (vip && rush)\n"
               "                               ^^^^ 1 of 2 outcomes never happened\n"
               "   4       0        return 1;\n"
               "   5\n"
               "   6       3 ~      return 2;\n"
               "                    1 of 2 outcomes never happened\n"
               "   7            }\n");
}

static void ranges_have_lines_around_them(void **state)
{
    static const char *const text[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", NULL};
    static const struct {
        struct line_range ranges[2];
        uint32_t count, context;
        const char *numbers;
    } cases[] = {
        {{{5, 5}}, 1, 1, "456"},
        {{{1, 1}}, 1, 2, "123"},
        {{{9, 9}}, 1, 2, "789"},
        {{{2, 3}, {7, 7}}, 2, 1, "1234.678"},
        {{{2, 3}, {6, 7}}, 2, 1, "12345678"},
        {{{2, 8}, {3, 4}}, 2, 0, "2345678"},
        {{{4, 99}}, 1, 0, "456789"},
        {{{1, 1}, {1, 1}}, 2, 0, "1"},
    };
    struct report_line lines[] = {{.number = 1, .hits = 1}};
    struct one one;
    (void)state;
    shown = text;
    make(&one, lines, ARRAY_LEN(lines));
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char numbers[32] = "";
        size_t len = 0;
        struct str got = seen(&one, cases[i].ranges, cases[i].count, cases[i].context, 0);
        const char *at = strstr(got.text, "\n\n") + 2;
        for (; *at != '\0'; at = strchr(at, '\n') + 1)
            numbers[len++] = at[3];
        assert_string_equal(numbers, cases[i].numbers);
    }
}

static void text_without_source_is_lines_with_code(void **state)
{
    struct report_line lines[] = {{.number = 2, .hits = 0}, {.number = 400000, .hits = 7}};
    struct one one;
    (void)state;
    shown = NULL;
    make(&one, lines, ARRAY_LEN(lines));
    struct str got = seen(&one, NULL, 0, 0, 0);
    assert_non_null(strstr(got.text, "The source is not shown: the file has changed.\n"));
    assert_true(str_ends(got, "\n     2     0\n400000     7\n"));
}

/* Each row fits the terminal, is legible, and all text is there if it has few rows. */
static void wide_and_odd_text_fits_the_terminal(void **state)
{
    static char megabyte[1000001];
    static const char *const texts[][2] = {
        {"\tif (a)\t// tabs", NULL},
        {"a\033[2Jb\x7F\xC2\x9B\xE2\x80\xAE\xE2\x81\xA6\xFF\xC3(", NULL},
        {JAPAN JAPAN JAPAN JAPAN JAPAN JAPAN JAPAN JAPAN JAPAN JAPAN, NULL},
        {"e\xCC\x81\xCC\x82 and \xED\x95\x9C\xEA\xB8\x80 and \xF0\x9F\x98\x80", NULL},
        {"trailing blanks   \t ", NULL},
        {"", NULL},
        {megabyte, NULL},
    };
    static const size_t widths[] = {1, 2, 20, 34, 40, 80, 200};
    struct report_condition all = condition(1, 2, 6);
    struct report_line lines[] = {{.number = 1,
                                   .hits = 3,
                                   .conditions = &all,
                                   .condition_count = 1,
                                   .outcome_count = 2,
                                   .covered_count = 1}};
    struct one one;
    (void)state;
    memset(megabyte, 'x', sizeof megabyte - 1);
    make(&one, lines, ARRAY_LEN(lines));
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        for (size_t w = 0; w < ARRAY_LEN(widths); w++) {
            shown = texts[i];
            struct str got = seen(&one, NULL, 0, 0, widths[w]);
            const char *body = strstr(got.text, "\n\n") + 2;
            size_t columns = 0, rows = 0, room = widths[w] < 40 ? 40 : widths[w];
            for (size_t pos = (size_t)(body - got.text); pos < got.len;) {
                uint32_t c = utf8_next(got.text, got.len, &pos);
                assert_true(c == '\n' || c == 0xFFFD || legible_char(c));
                rows += c == '\n';
                columns = c == '\n' ? 0 : columns + legible_char_width(c);
                assert_true(columns <= room);
            }
            assert_true(rows >= 2 && rows <= 11);
        }
    shown = texts[ARRAY_LEN(texts) - 1];
    assert_non_null(strstr(seen(&one, NULL, 0, 0, 0).text, megabyte)); /* to a file, all of it */
}

static void columns_are_those_of_the_shown_text(void **state)
{
    static const char *const text[] = {"\t" JAPAN " == \"\xF0\x9F\x98\x80\" && b", NULL};
    struct report_condition b = condition(1, 16, 17);
    struct report_line lines[] = {{.number = 1,
                                   .hits = 3,
                                   .conditions = &b,
                                   .condition_count = 1,
                                   .outcome_count = 2,
                                   .covered_count = 1}};
    struct one one;
    (void)state;
    shown = text;
    make(&one, lines, ARRAY_LEN(lines));
    assert_true(str_ends(seen(&one, NULL, 0, 0, 0),
                         "   1     3 ~      " JAPAN " == \"\xF0\x9F\x98\x80\" && b\n"
                         "                                  ^ 1 of 2 outcomes never happened\n"));
}

/* One of which the line is in no report stands on the first line of its statement, and says what it
 * is about. */
static void conditions_are_underlined_on_their_own_line(void **state)
{
    static const char *const text[] = {"return a", "  || b", "  || c;", "d", NULL};
    struct report_condition first[] = {condition(1, 8, 9), condition(3, 6, 7)};
    struct report_condition second = condition(2, 6, 7);
    struct report_line lines[] = {{.number = 1,
                                   .hits = 3,
                                   .conditions = first,
                                   .condition_count = 2,
                                   .outcome_count = 4,
                                   .covered_count = 2},
                                  {.number = 2,
                                   .hits = 3,
                                   .conditions = &second,
                                   .condition_count = 1,
                                   .outcome_count = 2,
                                   .covered_count = 1}};
    struct one one;
    (void)state;
    shown = text;
    make(&one, lines, ARRAY_LEN(lines));
    assert_true(str_ends(seen(&one, NULL, 0, 0, 0),
                         "   1     3 ~  return a\n"
                         "                     ^ 1 of 2 outcomes never happened\n"
                         "              `c`: 1 of 2 outcomes never happened\n"
                         "   2     3 ~    || b\n"
                         "                   ^ 1 of 2 outcomes never happened\n"
                         "   3            || c;\n"
                         "   4          d\n"));
}

/* Several are asked by one text, which says less than each of them would. */
static void condition_without_a_text_is_part_of_one(void **state)
{
    static const char *const text[] = {"return p is (1, 2);", NULL};
    static const uint64_t none[] = {0, 0};
    struct report_condition parts[] = {condition(1, 8, 19), condition(1, 8, 19),
                                       condition(1, 8, 19)};
    struct report_line lines[] = {{.number = 1,
                                   .hits = 3,
                                   .conditions = parts,
                                   .condition_count = 3,
                                   .outcome_count = 6,
                                   .covered_count = 2}};
    struct one one;
    (void)state;
    parts[0].is_exact = parts[1].is_exact = parts[2].is_exact = false;
    parts[0].words = WORDS_FALSE_TRUE;
    parts[2].outcome_hits = none;
    parts[2].covered_count = 0;
    parts[2].never_asked = true;
    shown = text;
    make(&one, lines, ARRAY_LEN(lines));
    assert_true(str_ends(seen(&one, NULL, 0, 0, 0),
                         "   1     3 ~  return p is (1, 2);\n"
                         "              a part of `p is (1, 2)` was never true\n"
                         "              `p is (1, 2)`: 1 of 2 outcomes never happened\n"
                         "              a condition was never evaluated\n"));
}

/* A statement that ran beside some that did not, and a condition that was never reached. */
static void statements_that_did_not_run_are_underlined(void **state)
{
    static const char *const text[] = {"if (a) return b ? 1 : 2;", "\tif (a) F(x,", "\t  y); G();",
                                       NULL};
    static const struct column_range first[] = {{8, 25}}, second[] = {{9, 0}}, third[] = {{1, 7}};
    struct report_condition conditions[] = {condition(1, 5, 6), condition(1, 15, 16)};
    struct report_line lines[] = {{.number = 1,
                                   .hits = 3,
                                   .conditions = conditions,
                                   .condition_count = 2,
                                   .outcome_count = 4,
                                   .covered_count = 1,
                                   .missed_count = 1,
                                   .missed = first},
                                  {.number = 2, .hits = 3, .missed_count = 1, .missed = second},
                                  {.number = 3, .hits = 3, .missed_count = 1, .missed = third}};
    struct one one;
    (void)state;
    conditions[1].covered_count = 0;
    shown = text;
    make(&one, lines, ARRAY_LEN(lines));
    assert_str(seen(&one, NULL, 0, 0, 0), "src/a.cs: 3 of 3 lines, 1 of 4 branches covered\n\n"
                                          "   1     3 ~  if (a) return b ? 1 : 2;\n"
                                          "                  ^ 1 of 2 outcomes never happened\n"
                                          "                     ^^^^^^^^^^^^^^^^^ did not run\n"
                                          "   2     3 ~      if (a) F(x,\n"
                                          "                         ^^^^ did not run\n"
                                          "   3     3 ~        y); G();\n"
                                          "                    ^^^ did not run\n");
    assert_str(seen(&one, NULL, 0, 0, 45),
               "src/a.cs: 3 of 3 lines, 1 of 4 branches covered\n\n"
               "   1     3 ~  if (a) return b ? 1 : 2;\n"
               "              `a`: 1 of 2 outcomes never hap\xE2\x80\xA6\n"
               "              `return b ? 1 : 2;` did not run\n"
               "   2     3 ~      if (a) F(x,\n"
               "                         ^^^^ did not run\n"
               "   3     3 ~        y); G();\n"
               "                    ^^^ did not run\n");
    shown = NULL;
    assert_true(str_ends(seen(&one, NULL, 0, 0, 0),
                         "   3     3 ~\n              a statement did not run\n"));
}

/* Compilers write 65,534 for every column after it. */
static void columns_that_are_not_known_are_not_underlined(void **state)
{
    static char wide[70001];
    static const char *const text[] = {wide, NULL};
    struct report_condition cases[] = {condition(1, 0xFFF0, 0xFFFE), condition(1, 60000, 60001)};
    (void)state;
    memset(wide, 'x', sizeof wide - 1);
    shown = text;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct report_line lines[] = {{.number = 1,
                                       .hits = 3,
                                       .conditions = &cases[i],
                                       .condition_count = 1,
                                       .outcome_count = 2,
                                       .covered_count = 1}};
        struct one one;
        make(&one, lines, ARRAY_LEN(lines));
        assert_true(str_ends(seen(&one, NULL, 0, 0, 0),
                             i == 0 ? "\n              1 of 2 outcomes never happened\n"
                                    : "\n              `x`: 1 of 2 outcomes never happened\n"));
    }
}

/* --- --uncovered ------------------------------------------------------------------------------ */

static void uncovered_lines_are_ranges(void **state)
{
    static const struct {
        const char *hits; /* of lines from 1 on; '.' is a line without code */
        const char *expected;
    } cases[] = {
        {"111", ""},
        {"000", "src/a.cs:1-3\n"},
        {"010", "src/a.cs:1,3\n"},
        {"1000.0.1.00", "src/a.cs:2-6,10-11\n"}, /* lines without code are spanned */
        {"..0..", "src/a.cs:3\n"},
        {"0.1.0", "src/a.cs:1,5\n"},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct report_line lines[16] = {{0}};
        uint32_t count = 0;
        char out[64] = "";
        struct err err = {0};
        struct one one;
        for (uint32_t n = 0; cases[i].hits[n] != '\0'; n++)
            if (cases[i].hits[n] != '.')
                lines[count++] = (struct report_line){.number = n + 1,
                                                      .hits = (uint64_t)(cases[i].hits[n] - '0')};
        make(&one, lines, count);
        FILE *file = fmemopen(out, sizeof out, "w");
        assert_non_null(file);
        const struct screen screen = {.file = file};
        assert_true(uncovered_put(&(struct uncovered){&screen, NULL, &err}, &one.file, 1));
        assert_int_equal(fclose(file), 0);
        assert_string_equal(out, cases[i].expected);
    }
}

static void reasons_that_read_alike_are_said_once(void **state)
{
    static const struct fact_decision asked[] = {
        {.span.start_line = 5}, {.span.start_line = 5}, {.span.start_line = 6}};
    static const struct report_why why = {.roots = {{.kind = CAUSE_OUTCOME, .decision = &asked[0]},
                                                    {.kind = CAUSE_OUTCOME, .decision = &asked[1]},
                                                    {.kind = CAUSE_OUTCOME, .decision = &asked[2]}},
                                          .root_count = 3};
    struct err err = {0};
    struct str said;
    (void)state;
    assert_true(condition_why(&said, &why, 7, NULL, NULL, &arena, &err));
    assert_string_equal(said.text, "line 5 never led here; line 6 never led here");
}

static void file_of_two_assemblies_is_listed_once(void **state)
{
    struct report_line a[] = {{.number = 1, .hits = 0}, {.number = 2, .hits = 1}};
    struct report_line b[] = {
        {.number = 1, .hits = 4}, {.number = 2, .hits = 2}, {.number = 3, .hits = 0}};
    struct one first, second;
    struct err err = {0};
    char out[64] = "";
    (void)state;
    make(&first, a, ARRAY_LEN(a));
    make(&second, b, ARRAY_LEN(b));
    struct report_file both[] = {first.file, second.file};
    FILE *file = fmemopen(out, sizeof out, "w");
    assert_non_null(file);
    const struct screen screen = {.file = file};
    assert_true(uncovered_put(&(struct uncovered){&screen, NULL, &err}, both, 2));
    assert_int_equal(fclose(file), 0);
    assert_string_equal(out, "src/a.cs:1,3\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

static const struct CMUnitTest tests[] = {
    TEST(hits_stand_beside_lines_and_words_below_them),
    TEST(ranges_have_lines_around_them),
    TEST(text_without_source_is_lines_with_code),
    TEST(wide_and_odd_text_fits_the_terminal),
    TEST(columns_are_those_of_the_shown_text),
    TEST(conditions_are_underlined_on_their_own_line),
    TEST(condition_without_a_text_is_part_of_one),
    TEST(statements_that_did_not_run_are_underlined),
    TEST(columns_that_are_not_known_are_not_underlined),
    TEST(uncovered_lines_are_ranges),
    TEST(reasons_that_read_alike_are_said_once),
    TEST(file_of_two_assemblies_is_listed_once),
};
UNIT_TESTS(tests);

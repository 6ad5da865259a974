/* test_gaps.c - which lines of a statement are another method's, by the columns of points alone. */
#include "coverage/collect/gaps.h"

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

enum {
    POINTS_MAX = 8,
    METHODS = 3,
    OTHER_DOCUMENT = 2
};

/* The first point of method 0 is that of the statement that is asked about; it begins on line 1.
 * `expected` has a character for each of its lines: `x` text, `.` none. */
static const struct {
    const char *name;
    struct {
        uint32_t method;
        struct seq_point point;
    } points[POINTS_MAX];
    const char *expected;
} cases[] = {
#define IN(rid, of, line, column, to_line, to_column)                                              \
    {                                                                                              \
        of,                                                                                        \
        {                                                                                          \
            .document = rid, .start_line = line, .start_column = column, .end_line = to_line,      \
            .end_column = to_column                                                                \
        }                                                                                          \
    }
#define AT(of, line, column, to_line, to_column) IN(1, of, line, column, to_line, to_column)
#define BRACE(of, line, column)                  AT(of, line, column, line, column + 1)
    {"no other method", {AT(0, 1, 5, 6, 9), AT(0, 2, 1, 2, 5), AT(0, 5, 1, 5, 5)}, "xxxxxx"},
    {"Release: not the lines of its points, where other text may stand",
     {AT(0, 1, 5, 7, 9), AT(1, 2, 9, 2, 20), AT(1, 4, 9, 4, 20), BRACE(1, 6, 5)},
     "xx...xx"},
    {"Debug: no text before a brace, any text after one",
     {AT(0, 1, 5, 7, 9), BRACE(1, 2, 5), AT(1, 4, 9, 4, 20), BRACE(1, 6, 5)},
     "x....xx"},
    {"text before a brace",
     {AT(0, 1, 5, 7, 9), BRACE(1, 2, 10), AT(1, 4, 9, 4, 20), BRACE(1, 6, 5)},
     "xx...xx"},
    {"braces on neighbouring lines", {AT(0, 1, 5, 5, 9), BRACE(1, 3, 5), BRACE(1, 4, 5)}, "xx.xx"},
    {"a brace on the first line", {AT(0, 1, 5, 4, 9), BRACE(1, 1, 9), BRACE(1, 3, 9)}, "x.xx"},
    {"two",
     {AT(0, 1, 5, 8, 9), AT(1, 2, 9, 2, 20), BRACE(1, 4, 9), AT(2, 4, 12, 4, 23), BRACE(2, 7, 1)},
     "xx.x..xx"},
    {"one in another",
     {AT(0, 1, 5, 8, 9), AT(1, 2, 9, 2, 20), AT(1, 3, 9, 6, 20), BRACE(1, 7, 9), AT(2, 4, 1, 4, 22),
      BRACE(2, 6, 1)},
     "xx....xx"},
    {"points in any order",
     {AT(0, 1, 5, 6, 9), BRACE(1, 5, 9), AT(1, 3, 9, 3, 20), AT(1, 2, 9, 2, 20)},
     "xx..xx"},
    {"a single point may be a lambda without braces",
     {AT(0, 1, 5, 6, 9), AT(1, 2, 9, 5, 10)},
     "xxxxxx"},
    {"nothing between", {AT(0, 1, 5, 4, 9), AT(1, 2, 9, 2, 20), BRACE(1, 3, 1)}, "xxxx"},
    {"begins with it: the copy of a field initialiser",
     {AT(0, 1, 5, 5, 9), AT(1, 1, 5, 1, 9), BRACE(1, 4, 1)},
     "xxxxx"},
    {"around it", {AT(0, 1, 5, 5, 9), AT(1, 1, 1, 1, 2), AT(1, 9, 1, 9, 2)}, "xxxxx"},
    {"ends outside", {AT(0, 1, 5, 5, 9), AT(1, 2, 9, 2, 20), BRACE(1, 9, 1)}, "xxxxx"},
    {"two documents",
     {AT(0, 1, 5, 5, 9), AT(1, 2, 9, 2, 20), IN(OTHER_DOCUMENT, 1, 3, 1, 3, 2), BRACE(1, 4, 1)},
     "xxxxx"},
    {"another document",
     {AT(0, 1, 5, 5, 9), IN(OTHER_DOCUMENT, 1, 2, 1, 2, 9), IN(OTHER_DOCUMENT, 1, 4, 1, 4, 2)},
     "xxxxx"},
    {"hidden points",
     {AT(0, 1, 5, 6, 9), AT(1, 2, 9, 2, 20), {1, {.document = 1, .hidden = true}}, BRACE(1, 5, 5)},
     "xx..xx"},
#undef BRACE
#undef AT
#undef IN
};

/* The statement of a case, with its gaps. */
static struct fact_statement made(size_t number, bool lacks_text)
{
    const uint32_t index_of[] = {1, 0};
    const bool lacking[] = {lacks_text, lacks_text};
    const struct seq_point *asked = &cases[number].points[0].point;
    struct method_extents extents = {.list = {NULL, 0, 0}};
    struct fact_statement statement = {.document = 1,
                                       .start_line = asked->start_line,
                                       .end_line = asked->end_line,
                                       .start_column = asked->start_column,
                                       .end_column = asked->end_column};
    for (uint32_t method = 0; method < METHODS; method++) {
        struct seq_point own[POINTS_MAX];
        struct seq_points points = {own, 0};
        for (uint32_t i = 0; i < POINTS_MAX; i++)
            if (cases[number].points[i].method == method &&
                cases[number].points[i].point.document != 0)
                own[points.count++] = cases[number].points[i].point;
        assert_true(gaps_note_method(&extents, method, points_extent(&points), &arena, NULL));
    }
    assert_true(gaps_by_columns(&statement, 1, &extents, lacking, index_of, &arena, NULL));
    return statement;
}

static void lines_of_lambdas_are_not_those_of_the_statement_around(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct fact_statement statement = made(i, true);
        char found[16] = "";
        for (uint32_t line = 1; line <= statement.end_line; line++)
            found[line - 1] = facts_has_text(&statement, line) ? 'x' : '.';
        if (strcmp(found, cases[i].expected) != 0) {
            print_error("%s: \"%s\" instead of \"%s\"\n", cases[i].name, found, cases[i].expected);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

static void statements_whose_text_is_known_stay_as_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(made(i, false).gaps.len, 0);
}

static void gaps_end_with_the_last_byte_that_is_set(void **state)
{
    struct gaps gaps = {NULL, 0};
    (void)state;
    assert_int_equal(gaps_view(&gaps).len, 0);
    assert_true(gaps_add(&gaps, 1, 100, 19, &arena, NULL));
    assert_true(gaps_add(&gaps, 1, 100, 2, &arena, NULL));
    struct view view = gaps_view(&gaps);
    assert_int_equal(view.len, 3);
    assert_int_equal(view.data[0], 1);
    assert_int_equal(view.data[1], 0);
    assert_int_equal(view.data[2], 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(lines_of_lambdas_are_not_those_of_the_statement_around,
                                    open_arena, close_arena),
    cmocka_unit_test_setup_teardown(statements_whose_text_is_known_stay_as_they_are, open_arena,
                                    close_arena),
    cmocka_unit_test_setup_teardown(gaps_end_with_the_last_byte_that_is_set, open_arena,
                                    close_arena),
};
UNIT_TESTS(tests);

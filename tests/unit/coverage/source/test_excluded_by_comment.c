/* test_excluded_by_comment.c - what comments exclude: lines and all between a start and an end;
 * what is wrong is told. */
#include "coverage/source/excluded_by_comment.h"

#include "tests/support/check.h"
#include "tests/support/reasons.h"
#include "tests/support/test_arena.h"

static struct list warnings;

static struct ignored make(const char *source)
{
    struct comments comments;
    struct ignored ignored;
    struct view text = {(const uint8_t *)source, strlen(source)};
    warnings = (struct list){0};
    assert_true(comments_find(&comments, text, LANGUAGE_CSHARP, &arena, NULL));
    assert_true(ignored_make(&ignored, &comments, STR("a.cs"), &warnings, &arena, NULL));
    return ignored;
}

static void warned(const char *text)
{
    assert_int_equal(warnings.count, 1);
    assert_str(*(struct str *)warnings.items, text);
}

static void line_is_excluded_where_a_statement_starts_or_ends(void **state)
{
    struct ignored ignored = make("\n\n// ilcov:ignore why\n\n");
    (void)state;
    assert_reason(ignored_reason(&ignored, 2, 2), "");
    assert_reason(ignored_reason(&ignored, 2, 4), "");
    assert_reason(ignored_reason(&ignored, 4, 5), "");
    assert_false(ignored.items[0].is_used);
    assert_reason(ignored_reason(&ignored, 3, 3), "ilcov:ignore: why");
    assert_true(ignored.items[0].is_used);
    assert_reason(ignored_reason(&ignored, 3, 5), "ilcov:ignore: why");
    assert_reason(ignored_reason(&ignored, 1, 3), "ilcov:ignore: why");
    assert_int_equal(warnings.count, 0);
}

static void region_excludes_what_starts_in_it(void **state)
{
    struct ignored ignored = make("\n// ilcov:ignore-start\n\n// ilcov:ignore-end\n");
    (void)state;
    assert_reason(ignored_reason(&ignored, 1, 1), "");
    assert_reason(ignored_reason(&ignored, 1, 3), "");
    assert_reason(ignored_reason(&ignored, 2, 2), "ilcov:ignore");
    assert_reason(ignored_reason(&ignored, 3, 9), "ilcov:ignore");
    assert_reason(ignored_reason(&ignored, 4, 4), "ilcov:ignore");
    assert_reason(ignored_reason(&ignored, 5, 5), "");
    assert_int_equal(warnings.count, 0);
}

static void start_without_end_lasts_to_the_end_of_the_file(void **state)
{
    struct ignored ignored = make("// ilcov:ignore-start rest\n");
    (void)state;
    assert_reason(ignored_reason(&ignored, 1000, 1000), "ilcov:ignore: rest");
    warned("a.cs:1: ilcov:ignore-start without an end: everything after it is excluded");
}

static void end_without_start_is_reported(void **state)
{
    struct ignored ignored = make("\n// ilcov:ignore-end\n");
    (void)state;
    assert_int_equal(ignored.count, 0);
    warned("a.cs:2: ilcov:ignore-end without a start");
}

static void start_in_a_region_is_reported(void **state)
{
    struct ignored ignored =
        make("// ilcov:ignore-start a\n// ilcov:ignore-start b\n// ilcov:ignore-end\n\n");
    (void)state;
    assert_reason(ignored_reason(&ignored, 2, 2), "ilcov:ignore: a");
    assert_reason(ignored_reason(&ignored, 4, 4), "");
    warned("a.cs:2: ilcov:ignore-start after another one without an end");
}

static void unknown_word_is_reported(void **state)
{
    struct ignored ignored = make("// ilcov:ignore-nxt\n");
    (void)state;
    assert_int_equal(ignored.count, 0);
    warned("a.cs:1: a comment for ilcov must begin with ilcov:ignore, ilcov:ignore-start or "
           "ilcov:ignore-end: ilcov:ignore-nxt");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(line_is_excluded_where_a_statement_starts_or_ends),
    cmocka_unit_test(region_excludes_what_starts_in_it),
    cmocka_unit_test(start_without_end_lasts_to_the_end_of_the_file),
    cmocka_unit_test(end_without_start_is_reported),
    cmocka_unit_test(start_in_a_region_is_reported),
    cmocka_unit_test(unknown_word_is_reported),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);

#include "base/nearest.h"

#include "tests/support/check.h"

static void nearest_is_what_was_meant_or_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"run", "report", "inspect", "doctor", NULL};
    assert_string_equal(nearest_word(STR("rnu"), names), "run");
    assert_string_equal(nearest_word(STR("reprot"), names), "report");
    assert_string_equal(nearest_word(STR("inspec"), names), "inspect");
    assert_null(nearest_word(STR("merge"), names));
    assert_null(nearest_word(STR("xyz"), names));
    assert_null(nearest_word(STR(""), names));
    assert_null(nearest_word(STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), names));
}

/* What follows the word in memory is not looked at. */
static void only_the_word_itself_counts(void **state)
{
    (void)state;
    static const char *const names[] = {"line", "branch", NULL};
    assert_string_equal(nearest_word((struct str){"lines>=80", 5}, names), "line");
}

static void first_of_equally_near_words_wins(void **state)
{
    (void)state;
    static const char *const names[] = {"mode", "node", NULL};
    assert_string_equal(nearest_word(STR("lode"), names), "mode");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nearest_is_what_was_meant_or_nothing),
    cmocka_unit_test(only_the_word_itself_counts),
    cmocka_unit_test(first_of_equally_near_words_wins),
};
UNIT_TESTS(tests);

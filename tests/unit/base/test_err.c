/* test_err.c - an error is one line that a terminal can show, whatever the file holds that it
 * quotes. */
#include "base/err.h"

#include <errno.h>

#include "tests/support/check.h"

static void text_of_a_file_stays_one_line_and_steers_no_terminal(void **state)
{
    (void)state;
    struct err err = {.code = ERR_NONE};
    assert_false(err_set(&err, ERR_FORMAT, "stream %s is odd", "#\n~\x1B[2J\x7F\tx"));
    assert_string_equal(err.text, "stream #?~?[2J??x is odd");
    err_prefix(&err, "%s", "a\nb");
    assert_string_equal(err.text, "a?b: stream #?~?[2J??x is odd");
    errno = ENOENT;
    assert_false(err_set_errno(&err, "%s", "c\rd"));
    assert_int_equal(strncmp(err.text, "c?d: ", 5), 0);
}

static void letters_outside_ascii_stay(void **state)
{
    (void)state;
    struct err err = {.code = ERR_NONE};
    assert_false(err_set(&err, ERR_FORMAT, "%s", "\xC3\xA4"));
    assert_string_equal(err.text, "\xC3\xA4");
}

static void long_text_is_cut_and_its_prefix_stays_whole(void **state)
{
    (void)state;
    struct err err = {.code = ERR_NONE};
    char text[2 * sizeof err.text];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_false(err_set(&err, ERR_FORMAT, "%s", text));
    err_prefix(&err, "file.dll");
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_int_equal(strncmp(err.text, "file.dll: xxx", 13), 0);
    err_prefix(NULL, "nobody asks");
    assert_false(err_set(NULL, ERR_FORMAT, "nobody asks"));
    assert_false(err_set_errno(NULL, "nobody asks"));
}

static void prefix_is_the_subject_of_a_text_that_goes_on_from_it(void **state)
{
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"cannot be opened", "a.dll cannot be opened"},
        {"is empty", "a.dll is empty"},
        {"has no element", "a.dll has no element"},
        {"ends within <a>", "a.dll ends within <a>"},
        {"issue 7", "a.dll: issue 7"},
        {"", "a.dll: "},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err err = {.code = ERR_NONE};
        (void)err_set(&err, ERR_IO, "%s", cases[i].text);
        err_prefix(&err, "a.dll");
        assert_string_equal(err.text, cases[i].said);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(text_of_a_file_stays_one_line_and_steers_no_terminal),
    cmocka_unit_test(letters_outside_ascii_stay),
    cmocka_unit_test(long_text_is_cut_and_its_prefix_stays_whole),
    cmocka_unit_test(prefix_is_the_subject_of_a_text_that_goes_on_from_it),
};
UNIT_TESTS(tests);

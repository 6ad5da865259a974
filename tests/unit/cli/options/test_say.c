/* test_say.c - a line for the user is one line, and nothing in it controls the terminal. */
#include "cli/options/say.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reporters/command_name.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

/* What say() writes of this text, in `out`. */
static void said(char *out, size_t room, const char *text)
{
    struct temporary folder;
    temporary_open(&folder);
    const char *path = temporary_path(&folder, "said");
    int errors = temporary_redirect(STDERR_FILENO, path);
    say("%s", text);
    temporary_restore(STDERR_FILENO, errors);
    struct str line = temporary_read(&folder, path);
    assert_true(line.len < room);
    memcpy(out, line.text, line.len + 1);
    temporary_close(&folder);
}

static void nothing_in_a_line_controls_the_terminal(void **state)
{
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"a\x1B[31mb", "ilcov: a?[31mb\n"},
        {"a\nb\tc\x7F", "ilcov: a?b?c?\n"},
        {"a\xC2\x9B"
         "31mb",
         "ilcov: a?31mb\n"}, /* U+009B, CSI */
        {"a\xC2\x85"
         "b",
         "ilcov: a?b\n"}, /* U+0085, next line */
        {"a\x9B"
         "31mb",
         "ilcov: a?31mb\n"}, /* CSI in Latin-1 */
        {"a\xE2\x80\xAE"
         "b",
         "ilcov: a?b\n"}, /* U+202E, right-to-left override */
        {"a\xE2\x80\x8F\xE2\x80\x8E"
         "b",
         "ilcov: a??b\n"}, /* U+200F, U+200E */
        {"a\xD8\x9C"
         "b",
         "ilcov: a?b\n"}, /* U+061C */
        {"a\xE2\x81\xA6"
         "b\xE2\x81\xA9",
         "ilcov: a?b?\n"}, /* U+2066, U+2069 */
        {"a\xE2\x80\xA8"
         "b",
         "ilcov: a?b\n"}, /* U+2028, line separator */
        {"\xC3\xA9\xE6\xBC\xA2\xF0\x9F\x98\x80", "ilcov: \xC3\xA9\xE6\xBC\xA2\xF0\x9F\x98\x80\n"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char out[100];
        said(out, sizeof out, cases[i].text);
        assert_string_equal(out, cases[i].said);
    }
}

/* Cut in the middle of a character, too. */
static void long_line_is_cut(void **state)
{
    static char text[20001], out[20001];
    (void)state;
    for (size_t i = 0; i < sizeof text - 1; i += 2)
        memcpy(text + i, "\xC3\xA9", 2);
    said(out, sizeof out, text);
    size_t len = strlen(out);
    assert_true(len > 1000 && len < 20000);
    assert_int_equal(out[len - 1], '\n');
    assert_int_equal(strcspn(out, "\n"), len - 1);
}

/* ilcov may have been started by its path, by a package for example. */
static void commands_begin_with_what_can_be_typed(void **state)
{
    static const char text[] = "'ilcov collect x' or 'ilcov show', of ilcov run";
    char out[200], room[20001], *path = strdup(getenv("PATH"));
    (void)state;
    setenv("PATH", "/nowhere", 1);
    command_name_choose("/opt/it is/ilcov");
    said(out, sizeof out, text);
    assert_string_equal(
        out, "ilcov: '/opt/it is/ilcov collect x' or '/opt/it is/ilcov show', of ilcov run\n");
    for (size_t i = 0; i < 8000; i++)
        room[i] = "'ilcov "[i % 7];
    room[8000] = '\0';
    static char cut[20001];
    said(cut, sizeof cut, room);
    assert_int_equal(strcspn(cut, "\n"), strlen(cut) - 1);
    struct temporary folder;
    temporary_open(&folder);
    assert_int_equal(chmod(temporary_file(&folder, "ilcov", "#!/bin/sh\n", 10), 0755), 0);
    setenv("PATH", temporary_path(&folder, "."), 1);
    command_name_choose("/opt/ilcov");
    said(out, sizeof out, text);
    assert_string_equal(out, "ilcov: 'ilcov collect x' or 'ilcov show', of ilcov run\n");
    temporary_close(&folder);
    setenv("PATH", path, 1);
    free(path);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_in_a_line_controls_the_terminal),
    cmocka_unit_test(long_line_is_cut),
    cmocka_unit_test(commands_begin_with_what_can_be_typed),
};
UNIT_TESTS(tests);

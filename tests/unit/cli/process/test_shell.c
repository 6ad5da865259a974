/* test_shell.c - variables in lines, with values that need quotes, and which paths no format has.
 * tests/e2e/test_env.sh uses every format. */
#include "cli/process/shell.h"

#include "tests/support/check.h"

static struct str written(enum env_shell shell, char *const *variables, struct arena *arena)
{
    struct shell_request request = {variables, "/s", "/l/libilcov.so"};
    struct str text = {0};
    struct err err = {0};
    assert_true(shell_can_write(shell, &request, &err));
    assert_true(shell_write(&text, shell, &request, arena, &err));
    return text;
}

static char first[] = "A=1", second[] = "B=/a \"b\\c\"/it's=$\xC3\xA4";
static char *const variables[] = {first, second, NULL};

static void values_are_quoted_as_the_shell_wants_it(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_str(written(SHELL_SH, variables, &arena),
               "# session: /s\nexport A='1'\nexport B='/a \"b\\c\"/it'\\''s=$\xC3\xA4'\n");
    assert_str(written(SHELL_PWSH, variables, &arena),
               "# session: /s\n$env:A = '1'\n$env:B = '/a \"b\\c\"/it''s=$\xC3\xA4'\n");
    assert_str(written(SHELL_GITHUB, variables, &arena), "A=1\nB=/a \"b\\c\"/it's=$\xC3\xA4\n");
    assert_str(written(SHELL_GITLAB, variables, &arena),
               "# session: /s\nvariables:\n  A: '1'\n  B: '/a \"b\\c\"/it''s=$$\xC3\xA4'\n");
    arena_free(&arena);
}

static void path_with_a_control_character_is_refused(void **state)
{
    struct shell_request request = {variables, "/s\n", "/l/libilcov.so"};
    struct err err = {0};
    (void)state;
    assert_false(shell_can_write(SHELL_TESTCONFIG, &request, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(values_are_quoted_as_the_shell_wants_it),
    cmocka_unit_test(path_with_a_control_character_is_refused),
};
UNIT_TESTS(tests);

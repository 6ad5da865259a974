/* test_shell.c - the variables as JSON files have them: what is written is what their readers take,
 * with paths that need escapes. tests/e2e/test_env.sh uses every format. */
#include "cli/launch/shell.h"

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

static char first[] = "A=1", second[] = "B=/a \"b\\c\"/it's=\xC3\xA4";
static char *const variables[] = {first, second, NULL};

static void testconfig_has_the_variables_of_the_test_host(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_str(written(SHELL_TESTCONFIG, variables, &arena),
               "{\n"
               "  \"environmentVariables\": {\n"
               "    \"A\": \"1\",\n"
               "    \"B\": \"/a \\\"b\\\\c\\\"/it's=\xC3\xA4\"\n"
               "  }\n"
               "}\n");
    arena_free(&arena);
}

static void launchsettings_have_one_profile(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_str(written(SHELL_LAUNCHSETTINGS, variables, &arena),
               "{\n"
               "  \"profiles\": {\n"
               "    \"ilcov\": {\n"
               "      \"commandName\": \"Project\",\n"
               "      \"environmentVariables\": {\n"
               "        \"A\": \"1\",\n"
               "        \"B\": \"/a \\\"b\\\\c\\\"/it's=\xC3\xA4\"\n"
               "      }\n"
               "    }\n"
               "  }\n"
               "}\n");
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
    cmocka_unit_test(testconfig_has_the_variables_of_the_test_host),
    cmocka_unit_test(launchsettings_have_one_profile),
    cmocka_unit_test(path_with_a_control_character_is_refused),
};
UNIT_TESTS(tests);

/* test_test_platform.c - who runs the tests of a command is known by its words and global.json. */
#include "cli/process/test_platform.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "system/folder.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

static const char platform[] =
    "{ // comment\n \"test\": { \"runner\": \"Microsoft.Testing.Platform\" } }";
static const char sdk[] = "{ \"sdk\": { \"version\": \"10.0.100\" } }";

/* `global`: the text of the file, or NULL: there is none. */
static bool is_platform(const char *command, const char *global, bool is_above)
{
    struct temporary folder;
    struct arena arena;
    struct err err = {0};
    char words[256], *argv[16] = {NULL}, below[512];
    bool is = false;
    temporary_open(&folder);
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    strcpy(words, command);
    int count = 0;
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " "))
        argv[count++] = word;
    if (global != NULL)
        (void)temporary_file(&folder, "global.json", global, strlen(global));
    strcpy(below, temporary_path(&folder, "below"));
    assert_int_equal(mkdir(below, 0700), 0);
    if (!test_platform_is_used(&is, argv, str_of(is_above ? below : folder.folder), &arena, &err))
        fail_msg("%s", err.text);
    assert_true(file_remove_folder(below));
    arena_free(&arena);
    temporary_close(&folder);
    return is;
}

static void dotnet_test_uses_what_global_json_says(void **state)
{
    (void)state;
    assert_false(is_platform("dotnet test", NULL, false));
    assert_false(is_platform("dotnet test", sdk, false));
    assert_true(is_platform("dotnet test", platform, false));
    assert_true(is_platform("/usr/bin/dotnet test Suite --no-build", platform, true));
}

static void test_program_brings_the_platform(void **state)
{
    (void)state;
    assert_true(is_platform("bin/Suite", NULL, false));
    assert_true(is_platform("dotnet run --project Suite", NULL, false));
    assert_true(is_platform("dotnet Suite.dll", sdk, false));
    assert_false(is_platform("dotnet vstest Suite.dll", platform, false));
}

static void command_of_another_command_counts(void **state)
{
    (void)state;
    assert_false(is_platform("ilcov run -- dotnet test", NULL, false));
    assert_true(is_platform("ilcov run -- bin/Suite", NULL, false));
    assert_true(is_platform("ilcov run -- dotnet test", platform, false));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(dotnet_test_uses_what_global_json_says),
    cmocka_unit_test(test_program_brings_the_platform),
    cmocka_unit_test(command_of_another_command_counts),
};
UNIT_TESTS(tests);

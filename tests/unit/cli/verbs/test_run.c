/* test_run.c - what `run` does around the command: which environments it refuses, what it hands on,
 * and what it says of a command that cannot start. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "cli/options/exit.h"
#include "cli/process/dotnet.h"
#include "cli/process/environment.h"
#include "cli/process/target.h"
#include "contract/session_format.h"
#include "system/command.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

/* --- conflicts -------------------------------------------------------------------------------- */

static const char *const settings[] = {"CORECLR_ENABLE_PROFILING",
                                       "DOTNET_ENABLE_PROFILING",
                                       "CORECLR_PROFILER",
                                       "DOTNET_PROFILER",
                                       "DOTNET_EnableDiagnostics",
                                       "COMPlus_EnableDiagnostics",
                                       "DOTNET_EnableDiagnostics_Profiler",
                                       "COMPlus_EnableDiagnostics_Profiler",
                                       "DOTNET_ProfApi_RejitOnAttach",
                                       "DOTNET_ProfAPI_ProfilerCompatibilitySetting"};

static int clear_settings(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(settings); i++)
        (void)unsetenv(settings[i]);
    return 0;
}

#define OTHER "{846F5F1C-F9AE-4B07-969E-05C26BC060D8}"

static const struct {
    const char *variables[4][2];
    uint32_t count;
    const char *overrides; /* in the first conflict */
} conflict_cases[] = {
    {{{NULL, NULL}}, 0, NULL},
    {{{"CORECLR_PROFILER", OTHER}}, 0, NULL},
    {{{"CORECLR_ENABLE_PROFILING", "1"}}, 0, NULL},
    {{{"CORECLR_ENABLE_PROFILING", "0"}, {"CORECLR_PROFILER", OTHER}}, 0, NULL},
    {{{"CORECLR_ENABLE_PROFILING", "1"}, {"CORECLR_PROFILER", ""}}, 0, NULL},
    {{{"CORECLR_ENABLE_PROFILING", "1"}, {"CORECLR_PROFILER", OTHER}}, 1, "Datadog"},
    {{{"DOTNET_ENABLE_PROFILING", "0x1"}, {"DOTNET_PROFILER", OTHER}}, 1, "DOTNET_PROFILER"},
    {{{"CORECLR_ENABLE_PROFILING", "1"},
      {"CORECLR_PROFILER", "{11111111-2222-3333-4444-555555555555}"}},
     1,
     "another profiler"},
    {{{"CORECLR_ENABLE_PROFILING", "1"}, {"CORECLR_PROFILER", PROFILER_CLSID}}, 1, "under ilcov"},
    {{{"CORECLR_ENABLE_PROFILING", "1"},
      {"CORECLR_PROFILER", "{1c0fc0de-5eed-4c0f-a11c-c0dec0de11c0}"}},
     1,
     "under ilcov"},
    {{{"CORECLR_ENABLE_PROFILING", "1"}, {"DOTNET_PROFILER", OTHER}, {"CORECLR_PROFILER", OTHER}},
     1,
     "CORECLR_PROFILER"},
    {{{"DOTNET_EnableDiagnostics", "0"}}, 1, "DOTNET_EnableDiagnostics=0"},
    {{{"DOTNET_EnableDiagnostics", "0x0"}}, 1, "unset it"},
    {{{"DOTNET_EnableDiagnostics", "1"}}, 0, NULL},
    {{{"DOTNET_EnableDiagnostics", ""}}, 0, NULL},
    {{{"DOTNET_EnableDiagnostics", "1"}, {"COMPlus_EnableDiagnostics", "0"}}, 0, NULL},
    {{{"COMPlus_EnableDiagnostics", "0"}}, 1, "COMPlus_EnableDiagnostics=0"},
    {{{"COMPlus_EnableDiagnostics_Profiler", "0"}}, 1, "COMPlus_EnableDiagnostics_Profiler=0"},
    {{{"DOTNET_EnableDiagnostics", "0"}, {"DOTNET_EnableDiagnostics_Profiler", "0"}},
     2,
     "unset it"},
    {{{"DOTNET_ProfAPI_ProfilerCompatibilitySetting", "PreventLoad"}}, 1, "=PreventLoad keeps"},
    {{{"DOTNET_ProfApi_RejitOnAttach", "0"}}, 0, NULL}, /* nothing is attached */
};

static void settings_that_keep_us_out_are_named(void **state)
{
    for (size_t i = 0; i < ARRAY_LEN(conflict_cases); i++) {
        (void)clear_settings(state);
        for (size_t j = 0; j < 4 && conflict_cases[i].variables[j][0] != NULL; j++)
            (void)setenv(conflict_cases[i].variables[j][0], conflict_cases[i].variables[j][1], 1);
        struct conflicts conflicts;
        environment_conflicts(&conflicts);
        if (conflicts.count != conflict_cases[i].count)
            fail_msg("case %zu: %u conflicts", i, conflicts.count);
        if (conflict_cases[i].overrides != NULL &&
            strstr(conflicts.texts[0], conflict_cases[i].overrides) == NULL)
            fail_msg("case %zu: '%s'", i, conflicts.texts[0]);
    }
}

/* --- the target's environment ----------------------------------------------------------------- */

static const char *value_in(char *const *environment, const char *name, unsigned *times)
{
    const char *value = NULL;
    size_t len = strlen(name);
    *times = 0;
    for (; *environment != NULL; environment++) {
        if (strncmp(*environment, name, len) != 0 || (*environment)[len] != '=')
            continue;
        value = *environment + len + 1;
        ++*times;
    }
    return value;
}

static void target_gets_our_variables_once_and_keeps_its_own(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
    } expected[] = {
        {"CORECLR_ENABLE_PROFILING", "1"},
        {"CORECLR_PROFILER", PROFILER_CLSID},
        {"CORECLR_PROFILER_PATH", "/lib/libilcov.so"},
        {"CORECLR_PROFILER_PATH_64", "/lib/libilcov.so"},
        {"CORECLR_PROFILER_PATH_ARM64", "/lib/libilcov.so"},
        {"DOTNET_ENABLE_PROFILING", "1"},
        {"DOTNET_PROFILER", PROFILER_CLSID},
        {"DOTNET_PROFILER_PATH", "/lib/libilcov.so"},
        {"DOTNET_PROFILER_PATH_64", "/lib/libilcov.so"},
        {"DOTNET_PROFILER_PATH_ARM64", "/lib/libilcov.so"},
        {"ILCOV_SESSION", "/dev/shm/session"},
        {"ILCOV_TEST_OWN", "a=b"},
        {"CORECLR_PROFILER_PATHX", "kept"},
    };
    struct arena arena;
    struct err err = {0};
    (void)setenv("ILCOV_TEST_OWN", "a=b", 1);
    (void)setenv("CORECLR_PROFILER_PATHX", "kept", 1);
    (void)setenv("CORECLR_PROFILER_PATH_64", "/stale/other.so", 1);
    (void)setenv("ILCOV_SESSION", "/stale", 1);
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    char **environment =
        environment_for_target("/lib/libilcov.so", "/dev/shm/session", &arena, &err);
    assert_non_null(environment);
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        unsigned times = 0;
        const char *value = value_in(environment, expected[i].name, &times);
        if (times != 1 || strcmp(value, expected[i].value) != 0)
            fail_msg("%s stands %u times", expected[i].name, times);
    }
    arena_free(&arena);
    (void)unsetenv("CORECLR_PROFILER_PATH_64");
    (void)unsetenv("ILCOV_SESSION");
}

static void file_that_is_not_a_library_does_not_load(void **state)
{
    (void)state;
    struct temporary t;
    struct err err = {0};
    temporary_open(&t);
    assert_failed(environment_loads(temporary_path(&t, "none.so"), &err), err, ERR_UNSUPPORTED);
    const char *text = temporary_file(&t, "text.so", "no library", 10);
    assert_failed(environment_loads(text, &err), err, ERR_UNSUPPORTED);
    assert_failed(environment_loads("/proc/self/exe", &err), err, ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "DllGetClassObject"));
    temporary_close(&t);
}

/* --- .NET installations ----------------------------------------------------------------------- */

static void make_folders(struct temporary *t, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(mkdir(temporary_path(t, names[i]), 0700), 0);
}

static void remove_folders(struct temporary *t, const char *const *names, size_t count)
{
    while (count != 0)
        assert_int_equal(rmdir(temporary_path(t, names[--count])), 0);
}

#define RUNTIMES "shared/Microsoft.NETCore.App/"

static void runtimes_are_listed_by_version(void **state)
{
    (void)state;
    static const char *const folders[] = {"shared",          "shared/Microsoft.NETCore.App",
                                          RUNTIMES "10.0.1", RUNTIMES "9.0.12",
                                          RUNTIMES "9.0.9",  RUNTIMES "7.0.0"};
    static const char *const files[] = {RUNTIMES "10.0.1/libcoreclr.so",
                                        RUNTIMES "9.0.12/libcoreclr.so",
                                        RUNTIMES "9.0.9/libcoreclr.so"};
    struct temporary t;
    struct dotnet_runtimes runtimes;
    struct err err = {0};
    temporary_open(&t);
    make_folders(&t, folders, ARRAY_LEN(folders));
    for (size_t i = 0; i < ARRAY_LEN(files); i++)
        (void)temporary_file(&t, files[i], "no ELF", 6);
    dotnet_runtimes(&runtimes, t.folder);
    assert_int_equal(runtimes.count, 3);
    assert_string_equal(runtimes.versions[0], "9.0.9");
    assert_string_equal(runtimes.versions[1], "9.0.12");
    assert_string_equal(runtimes.versions[2], "10.0.1");
    assert_false(dotnet_fits(t.folder, "9.0.9", "/proc/self/exe", &err));
    for (size_t i = 0; i < ARRAY_LEN(files); i++)
        assert_int_equal(unlink(temporary_path(&t, files[i])), 0);
    dotnet_runtimes(&runtimes, t.folder);
    assert_int_equal(runtimes.count, 0);
    remove_folders(&t, folders, ARRAY_LEN(folders));
    temporary_close(&t);
}

static void program_with_a_section_of_managed_code_is_native(void **state)
{
    (void)state;
    static const char native[64 + 22] = "\177ELF\2\1\1", section[] = "\0__managedcode\0.text";
    char program[sizeof native];
    struct temporary t;
    temporary_open(&t);
    memcpy(program, native, sizeof native);
    assert_false(dotnet_is_native(temporary_file(&t, "other", program, sizeof program)));
    memcpy(program + 64, section, sizeof section);
    assert_true(dotnet_is_native(temporary_file(&t, "native", program, sizeof program)));
    program[0] = '#';
    assert_false(dotnet_is_native(temporary_file(&t, "script", program, sizeof program)));
    assert_false(dotnet_is_native(temporary_file(&t, "short", "\177ELF", 4)));
    temporary_close(&t);
}

/* --- the command ------------------------------------------------------------------------------ */

static int start_and_wait(char **argv)
{
    struct err err = {0};
    int status = -1, command = -1;
    command_hold_signals();
    if (target_start(&command, argv, environ, &status, &err))
        status = command_wait(command, NULL);
    else
        assert_int_not_equal(err.text[0], '\0');
    command_release_signals();
    return status;
}

static void command_that_cannot_start_has_the_shells_status(void **state)
{
    (void)state;
    struct temporary t;
    temporary_open(&t);
    const char *text = temporary_file(&t, "text", "x", 1);
    const char *script = temporary_file(&t, "script", "exit 6\n", 7);
    assert_int_equal(chmod(script, 0700), 0);
    assert_int_equal(start_and_wait((char *[]){(char *)(uintptr_t) "ilcov-no-such-command", NULL}),
                     EXIT_NOT_FOUND);
    assert_int_equal(start_and_wait((char *[]){(char *)(uintptr_t) "/nonexistent/x", NULL}),
                     EXIT_NOT_FOUND);
    assert_int_equal(start_and_wait((char *[]){(char *)(uintptr_t)text, NULL}),
                     EXIT_NOT_EXECUTABLE);
    assert_int_equal(start_and_wait((char *[]){t.folder, NULL}), EXIT_NOT_EXECUTABLE);
    assert_int_equal(start_and_wait((char *[]){(char *)(uintptr_t)script, NULL}),
                     6); /* sh runs it, as for execvp */
    temporary_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(settings_that_keep_us_out_are_named, clear_settings,
                                    clear_settings),
    cmocka_unit_test(target_gets_our_variables_once_and_keeps_its_own),
    cmocka_unit_test(file_that_is_not_a_library_does_not_load),
    cmocka_unit_test(runtimes_are_listed_by_version),
    cmocka_unit_test(program_with_a_section_of_managed_code_is_native),
    cmocka_unit_test(command_that_cannot_start_has_the_shells_status),
};
UNIT_TESTS(tests);

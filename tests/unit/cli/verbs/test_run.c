/* test_run.c - what `run` does around the command: which environments it refuses, what it hands on,
 * how it starts, waits, and passes signals. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "cli/base/exit.h"
#include "cli/launch/dotnet.h"
#include "cli/launch/environment.h"
#include "cli/launch/target.h"
#include "contract/session_format.h"
#include "system/clock.h"
#include "system/command.h"
#include "system/program_file.h"
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
                                       "COMPlus_EnableDiagnostics_Profiler"};

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
    const char *says; /* in the first conflict */
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
        if (conflict_cases[i].says != NULL &&
            strstr(conflicts.texts[0], conflict_cases[i].says) == NULL)
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

static void programs_are_found_as_execvp_finds_them(void **state)
{
    (void)state;
    struct temporary t;
    char path[PATH_ROOM], old_path[4096], new_path[5000];
    temporary_open(&t);
    (void)snprintf(old_path, sizeof old_path, "%s", getenv("PATH"));
    (void)snprintf(new_path, sizeof new_path, "/nonexistent:%s:%s", t.folder, old_path);
    (void)setenv("PATH", new_path, 1);
    const char *tool = temporary_file(&t, "ilcov-tool", "#!/bin/sh\n", 10);
    assert_false(program_file_find(path, "ilcov-tool")); /* not executable yet */
    assert_true(program_file_find_any(path, "ilcov-tool"));
    assert_int_equal(chmod(tool, 0700), 0);
    assert_true(program_file_find(path, "ilcov-tool"));
    assert_string_equal(path, tool);
    assert_true(program_file_find(path, tool));
    assert_false(program_file_find(path, "ilcov-other-tool"));
    assert_false(program_file_find(path, t.folder));
    (void)setenv("PATH", old_path, 1);
    temporary_close(&t);
}

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

static int run_watched(const char *const *words, const struct command_watch *watch)
{
    struct err err = {0};
    char *argv[8] = {NULL};
    int status = -1, command = -1;
    for (size_t i = 0; words[i] != NULL; i++)
        argv[i] = (char *)(uintptr_t)words[i];
    command_hold_signals();
    if (target_start(&command, argv, environ, &status, &err))
        status = command_wait(command, watch);
    else
        assert_int_not_equal(err.text[0], '\0');
    assert_int_equal(command_signal(), 0);
    command_release_signals();
    return status;
}

static int run_to_end(const char *const *words)
{
    return run_watched(words, NULL);
}

static int run_shell(const char *script)
{
    return run_to_end((const char *const[]){"sh", "-c", script, NULL});
}

static void status_of_the_command_is_kept(void **state)
{
    (void)state;
    assert_int_equal(run_shell("exit 0"), 0);
    assert_int_equal(run_shell("exit 1"), 1);
    assert_int_equal(run_shell("exit 255"), 255);
    assert_int_equal(run_shell("kill -9 $$"), 128 + SIGKILL);
    assert_int_equal(run_shell("kill -15 $$"), 128 + SIGTERM);
    assert_int_equal(run_shell("sleep 60 & exit 4"),
                     4); /* what it leaves behind is not waited for */
}

struct looks {
    struct temporary t;
    unsigned count;
};

/* At the third look it makes the file that the command waits for. */
static uint32_t count_looks(void *context, pid_t command)
{
    struct looks *looks = context;
    assert_true(command > 0);
    if (++looks->count == 3)
        (void)temporary_file(&looks->t, "seen", "", 0);
    return 100;
}

static void watched_command_is_looked_at_and_keeps_its_status(void **state)
{
    (void)state;
    struct looks looks = {.count = 0};
    temporary_open(&looks.t);
    const struct command_watch watch = {.look = count_looks, .context = &looks};
    const char *const words[] = {
        "sh", "-c", "(sleep 0.02; sleep 0.02) & while [ ! -e \"$0\" ]; do sleep 0.02; done; exit 7",
        temporary_path(&looks.t, "seen"), NULL};
    int64_t start = clock_ms();
    assert_int_equal(run_watched(words, &watch), 7);
    int64_t took = clock_ms() - start;
    /* At once, then every 100 ms, whatever signals come. */
    assert_in_range(looks.count, 3, (uint64_t)took / 100 + 1);
    temporary_close(&looks.t);
}

static void command_that_cannot_start_has_the_shells_status(void **state)
{
    (void)state;
    struct temporary t;
    temporary_open(&t);
    const char *text = temporary_file(&t, "text", "x", 1);
    const char *script = temporary_file(&t, "script", "exit 6\n", 7);
    assert_int_equal(chmod(script, 0700), 0);
    assert_int_equal(run_to_end((const char *const[]){"ilcov-no-such-command", NULL}),
                     EXIT_NOT_FOUND);
    assert_int_equal(run_to_end((const char *const[]){"/nonexistent/x", NULL}), EXIT_NOT_FOUND);
    assert_int_equal(run_to_end((const char *const[]){text, NULL}), EXIT_NOT_EXECUTABLE);
    assert_int_equal(run_to_end((const char *const[]){t.folder, NULL}), EXIT_NOT_EXECUTABLE);
    assert_int_equal(run_to_end((const char *const[]){script, NULL}),
                     6); /* sh runs it, as for execvp */
    temporary_close(&t);
}

/* What ilcov blocks and ignores for itself must not be inherited: many programs never look. */
static void command_gets_its_signals_back(void **state)
{
    (void)state;
    char line[256], expected[512] = "";
    FILE *file = fopen("/proc/self/status", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "SigBlk", 6) == 0 || strncmp(line, "SigIgn", 6) == 0)
            (void)strcat(expected, line);
    }
    (void)fclose(file);
    expected[strlen(expected) - 1] = '\0';
    (void)setenv("EXPECTED", expected, 1);
    assert_int_equal(
        run_shell("test \"$(grep -E '^Sig(Blk|Ign)' /proc/self/status)\" = \"$EXPECTED\""), 0);
}

/* --- signals: an ilcov of our own runs a command that counts what comes ----------------------- */

enum {
    COUNT_BASE = 40
};

static volatile sig_atomic_t signal_count;

static void count_signal(int number)
{
    (void)number;
    signal_count++;
}

static void sleep_ms(long ms)
{
    struct timespec left = {.tv_nsec = ms * 1000000};
    while (nanosleep(&left, &left) != 0)
        continue;
}

/* This very program as the command: its status is COUNT_BASE + n. It ends a while after the first
 * signal, or after it was told to; in between a second one would come. A shell would not do: it
 * takes two for one. */
static int count_signals(const char *ready)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    char end[512];
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        (void)signal(numbers[i], count_signal);
    (void)snprintf(end, sizeof end, "%s.end", ready);
    (void)close(open(ready, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    for (unsigned i = 0; i < 1000 && signal_count == 0 && access(end, F_OK) != 0; i++)
        sleep_ms(10);
    sleep_ms(200);
    return COUNT_BASE + (int)signal_count;
}

/* In the child: `terminal`, if not NULL, becomes that of its session. */
static void become_runner(const char *ready, const char *terminal)
{
    struct err err = {0};
    int status = 99, command = -1;
    char self[PATH_ROOM] = ""; /* by its name: under valgrind /proc/self/exe is valgrind */
    char *argv[] = {self, (char *)(uintptr_t) "count-signals", (char *)(uintptr_t)ready, NULL};
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        _exit(97);
    (void)setsid();
    if (terminal != NULL && open(terminal, O_RDWR) < 0)
        _exit(98);
    command_hold_signals();
    if (target_start(&command, argv, environ, &status, &err))
        status = command_wait(command, NULL);
    _exit(status);
}

static void wait_for_file(const char *path)
{
    for (unsigned i = 0; i < 1000 && access(path, F_OK) != 0; i++)
        sleep_ms(10);
    assert_int_equal(access(path, F_OK), 0);
}

static int end_of(pid_t runner)
{
    int status = 0;
    assert_int_equal(waitpid(runner, &status, 0), runner);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static pid_t start_counting(struct temporary *t, const char *terminal)
{
    const char *ready = temporary_path(t, "ready");
    (void)unlink(ready);
    pid_t runner = fork();
    assert_true(runner >= 0);
    if (runner == 0)
        become_runner(ready, terminal);
    wait_for_file(ready);
    return runner;
}

static void signal_sent_to_ilcov_alone_reaches_the_command(void **state)
{
    (void)state;
    static const int numbers[] = {SIGTERM, SIGHUP, SIGINT};
    struct temporary t;
    temporary_open(&t);
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        pid_t runner = start_counting(&t, NULL);
        assert_int_equal(kill(runner, numbers[i]), 0);
        assert_int_equal(end_of(runner), COUNT_BASE + 1);
    }
    temporary_close(&t);
}

/* The terminal sends it to both: twice would make some commands give up what they were ending in
 * order. */
static void key_at_the_terminal_reaches_the_command_once(void **state)
{
    (void)state;
    struct temporary t;
    temporary_open(&t);
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    pid_t runner = start_counting(&t, ptsname(terminal));
    assert_int_equal(write(terminal, "\x03", 1), 1);
    assert_int_equal(end_of(runner), COUNT_BASE + 1);
    (void)close(terminal);
    temporary_close(&t);
}

static void ignored_signal_stays_ignored(void **state)
{
    (void)state;
    struct temporary t;
    temporary_open(&t);
    (void)signal(SIGHUP, SIG_IGN);
    pid_t runner = start_counting(&t, NULL);
    assert_int_equal(kill(runner, SIGHUP), 0);
    (void)temporary_file(&t, "ready.end", "", 0);
    assert_int_equal(end_of(runner), COUNT_BASE);
    (void)signal(SIGHUP, SIG_DFL);
    temporary_close(&t);
}

static void signal_after_the_end_is_reported(void **state)
{
    (void)state;
    pid_t runner = fork();
    assert_true(runner >= 0);
    if (runner == 0) {
        command_hold_signals();
        bool quiet = command_signal() == 0;
        (void)raise(SIGTERM);
        _exit(quiet && command_signal() == SIGTERM ? 0 : 1);
    }
    assert_int_equal(end_of(runner), 0);
}

/* Under nohup, or started by a script with '&', some are ignored, and would stay so. */
static void take_signals_as_usual(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        (void)signal(numbers[i], SIG_DFL);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "count-signals") == 0)
        return count_signals(argv[2]);
    take_signals_as_usual();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(settings_that_keep_us_out_are_named, clear_settings,
                                        clear_settings),
        cmocka_unit_test(target_gets_our_variables_once_and_keeps_its_own),
        cmocka_unit_test(file_that_is_not_a_library_does_not_load),
        cmocka_unit_test(programs_are_found_as_execvp_finds_them),
        cmocka_unit_test(runtimes_are_listed_by_version),
        cmocka_unit_test(program_with_a_section_of_managed_code_is_native),
        cmocka_unit_test(status_of_the_command_is_kept),
        cmocka_unit_test(watched_command_is_looked_at_and_keeps_its_status),
        cmocka_unit_test(command_that_cannot_start_has_the_shells_status),
        cmocka_unit_test(command_gets_its_signals_back),
        cmocka_unit_test(signal_sent_to_ilcov_alone_reaches_the_command),
        cmocka_unit_test(key_at_the_terminal_reaches_the_command_once),
        cmocka_unit_test(ignored_signal_stays_ignored),
        cmocka_unit_test(signal_after_the_end_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

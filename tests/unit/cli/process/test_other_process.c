/* test_other_process.c - what /proc tells of processes: of this one, and of children that were
 * given what to tell. */
#include "cli/process/other_process.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"
#include "system/process.h"
#include "tests/support/check.h"
#include "tests/support/child.h"
#include "tests/support/temporary.h"

static void only_numbers_of_processes_are_taken(void **state)
{
    static const char *const bad[] = {"",    "0",  "-1",           "+1",
                                      "1x",  " 1", "1 ",           "0x1",
                                      "1.0", "x",  "999999999999", "99999999999999999999"};
    pid_t pid = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (process_number(&pid, bad[i]))
            fail_msg("'%s' was taken", bad[i]);
    assert_true(process_number(&pid, "4194304"));
    assert_int_equal(pid, 4194304);
}

static void own_process_is_described(void **state)
{
    struct temporary t;
    struct process process;
    struct err err = {0};
    char program[PATH_ROOM] = "";
    (void)state;
    temporary_open(&t);
    assert_true(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    assert_true(process_read(&process, getpid(), &t.arena, &err));
    assert_int_equal(process.owner, geteuid());
    assert_int_equal(process.inner_pid, getpid());
    assert_true(process.start_ticks > 0);
    assert_true(process.age_seconds > -1 && process.age_seconds < 3600);
    assert_true(process.has_our_files);
    assert_false(process.is_closed);
    assert_string_equal(process.program, program);
    assert_string_equal(process.runtime, "");
    assert_string_equal(process.library, "");
    assert_null(process.profiler);
    temporary_close(&t);
}

static void variables_are_those_that_it_was_started_with(void **state)
{
    static char one[] = "ONE=1", empty[] = "EMPTY=", more[] = "ONE_MORE=2=3";
    char *environment[] = {more, one, empty, NULL};
    struct temporary t;
    struct process process;
    struct err err = {0};
    (void)state;
    temporary_open(&t);
    pid_t pid = child_start(environment);
    assert_true(process_read(&process, pid, &t.arena, &err));
    assert_string_equal(process_variable(&process, "ONE"), "1");
    assert_string_equal(process_variable(&process, "EMPTY"), "");
    assert_string_equal(process_variable(&process, "ONE_MORE"), "2=3");
    assert_null(process_variable(&process, "ON"));
    assert_null(process_variable(&process, "TWO"));
    child_end(pid);
    temporary_close(&t);
}

/* A copy of yes(1), which takes all arguments, and waits when nobody reads what it writes. */
static const char *make_dotnet(struct temporary *t)
{
    struct str yes = temporary_read(t, "/usr/bin/yes");
    const char *program = temporary_file(t, "dotnet", yes.text, yes.len);
    assert_int_equal(chmod(program, 0700), 0);
    return program;
}

static pid_t start_dotnet(const char *program, char *const *arguments)
{
    int ends[2], saved = dup(STDOUT_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[1], STDOUT_FILENO), STDOUT_FILENO);
    pid_t pid = child_program(program, arguments, (char *[]){NULL}, 0); /* inherits both ends */
    assert_int_equal(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
    (void)close(saved);
    (void)close(ends[0]);
    (void)close(ends[1]);
    return pid;
}

static void what_dotnet_runs_has_the_name_of_its_assembly(void **state)
{
    static char dotnet[] = "dotnet", option[] = "exec", deps[] = "/app/Tests.deps.json",
                assembly[] = "/app/My.Tests.dll", other[] = "/app/Other.dll";
    static const struct {
        char *arguments[6];
        const char *name;
    } commands[] = {
        {{dotnet, option, deps, assembly, other}, "My.Tests"},
        {{dotnet, assembly}, "My.Tests"},
        {{dotnet, option}, "dotnet"},
        {{dotnet}, "dotnet"},
    };
    struct temporary t;
    struct err err = {0};
    (void)state;
    temporary_open(&t);
    const char *program = make_dotnet(&t);
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        struct process process;
        pid_t pid = start_dotnet(program, commands[i].arguments);
        assert_true(process_read(&process, pid, &t.arena, &err));
        assert_string_equal(process.name, commands[i].name);
        child_end(pid);
    }
    temporary_close(&t);
}

/* Its program may not be read, but who is told of it wants a name. */
static void process_of_another_user_has_the_name_that_the_kernel_has_for_it(void **state)
{
    enum {
        OTHER = 65534,
        SAME_USER = 77
    };
    int status = 0;
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        struct process process;
        struct arena arena;
        char name[PROCESS_NAME_ROOM];
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        if (geteuid() == 0 && setresuid(OTHER, OTHER, OTHER) != 0)
            _exit(1);
        if (!process_read(&process, 1, &arena, NULL) || !process_name_read(name, 1))
            _exit(2);
        _exit(!process.is_closed ? SAME_USER : strcmp(process.name, name) != 0 ? 3 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == SAME_USER)
        skip();
    assert_int_equal(status, 0);
}

static void temporary_folder_is_that_of_the_process(void **state)
{
    static char own[] = "TMPDIR=/var/own", relative[] = "TMPDIR=own", none[] = "TMPDIR=";
    static const struct {
        char *variable;
        const char *expected; /* behind /proc/PID, where it is below its own folder */
    } cases[] = {{own, "/var/own"}, {none, "/tmp"}, {relative, "/cwd/own"}};
    struct temporary t;
    (void)state;
    temporary_open(&t);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *environment[] = {cases[i].variable, NULL};
        char expected[64], path[PATH_ROOM];
        struct process process;
        struct err err = {0};
        pid_t pid = child_start(environment);
        int len = cases[i].variable == relative
                      ? snprintf(expected, sizeof expected, "/proc/%ld", (long)pid)
                      : 0;
        (void)snprintf(expected + len, sizeof expected - (size_t)len, "%s", cases[i].expected);
        assert_true(process_read(&process, pid, &t.arena, &err));
        assert_true(process_temporary(path, sizeof path, &process, &err));
        assert_string_equal(path, expected);
        assert_failed(process_temporary(path, 4, &process, &err), err, ERR_LIMIT);
        child_end(pid);
    }
    temporary_close(&t);
}

static void processes_that_are_not_there_are_refused(void **state)
{
    struct temporary t;
    struct process process;
    struct err err = {0};
    (void)state;
    temporary_open(&t);
    char *environment[] = {NULL};
    pid_t pid = child_start(environment);
    assert_int_equal(kill(pid, SIGKILL), 0);
    siginfo_t info;
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    assert_failed(process_read(&process, pid, &t.arena, &err), err, ERR_IO);
    assert_non_null(strstr(err.text, "ended"));
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_failed(process_read(&process, pid, &t.arena, &err), err, ERR_IO);
    assert_non_null(strstr(err.text, "no process"));
    temporary_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(only_numbers_of_processes_are_taken),
    cmocka_unit_test(own_process_is_described),
    cmocka_unit_test(variables_are_those_that_it_was_started_with),
    cmocka_unit_test(what_dotnet_runs_has_the_name_of_its_assembly),
    cmocka_unit_test(process_of_another_user_has_the_name_that_the_kernel_has_for_it),
    cmocka_unit_test(temporary_folder_is_that_of_the_process),
    cmocka_unit_test(processes_that_are_not_there_are_refused),
};
UNIT_TESTS(tests);

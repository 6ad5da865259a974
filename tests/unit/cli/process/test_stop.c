/* test_stop.c - children that are stopped, traced, or have the pipes of a debugger open. */
#include "cli/process/stop.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/child.h"
#include "tests/support/temporary.h"

static enum stop stop_of(char text[STOP_TEXT_ROOM], pid_t pid)
{
    struct process process = {.pid = pid};
    return stop_read(text, &process);
}

static void what_runs_is_not_stopped(void **state)
{
    char text[STOP_TEXT_ROOM];
    (void)state;
    pid_t pid = child_start((char *[]){NULL});
    assert_int_equal(stop_of(text, pid), STOP_NONE);
    assert_string_equal(text, "");
    child_end(pid);
    assert_int_equal(stop_of(text, pid), STOP_NONE);
}

static void what_a_signal_stopped_is_said_with_what_lets_it_go_on(void **state)
{
    char text[STOP_TEXT_ROOM], expected[STOP_TEXT_ROOM];
    int status = 0;
    (void)state;
    pid_t pid = child_start((char *[]){NULL});
    assert_int_equal(kill(pid, SIGSTOP), 0);
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    (void)snprintf(expected, sizeof expected, "it is stopped: 'kill -CONT %d' continues it", pid);
    assert_int_equal(stop_of(text, pid), STOP_SIGNAL);
    assert_string_equal(text, expected);
    child_end(pid);
}

/* This program traces it. */
static void who_traces_it_is_named(void **state)
{
    char text[STOP_TEXT_ROOM], expected[STOP_TEXT_ROOM];
    int status = 0;
    (void)state;
    pid_t pid = child_start((char *[]){NULL});
    if (ptrace(PTRACE_ATTACH, pid, NULL, NULL) != 0) {
        child_end(pid);
        skip();
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    (void)snprintf(expected, sizeof expected, "unit (process %d) has stopped it", getpid());
    assert_int_equal(stop_of(text, pid), STOP_TRACER);
    assert_string_equal(text, expected);
    assert_int_equal(ptrace(PTRACE_CONT, pid, NULL, NULL), 0);
    (void)snprintf(expected, sizeof expected, "unit (process %d) traces it", getpid());
    assert_int_equal(stop_of(text, pid), STOP_MAYBE_TRACER);
    assert_string_equal(text, expected);
    child_end(pid);
}

static bool open_file(const char *path)
{
    return open(path, O_RDONLY) >= 0;
}

static const struct {
    const char *name;
    enum stop stop;
} files[] = {
    {"clr-debug-pipe-4711-1212991-in", STOP_MAYBE_DEBUGGER},
    {"clr-debug-pipe-4711-1212991-out", STOP_MAYBE_DEBUGGER},
    {"not-clr-debug-pipe-4711-1212991-in", STOP_NONE},
};

static void debuggers_are_known_by_the_pipes_that_the_runtime_has_open(void **state)
{
    char text[STOP_TEXT_ROOM];
    struct temporary t;
    (void)state;
    temporary_open(&t);
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        pid_t pid = child_prepared(open_file, temporary_file(&t, files[i].name, "", 0));
        assert_true(pid > 0);
        assert_int_equal(stop_of(text, pid), files[i].stop);
        child_end(pid);
    }
    temporary_close(&t);
}

static void only_silence_is_explained(void **state)
{
    struct err silence = {ERR_IO, "it does not answer in time"}, other = {ERR_FORMAT, "it is odd"};
    int status = 0;
    (void)state;
    struct process process = {.pid = child_start((char *[]){NULL})};
    stop_explain(&silence, &process);
    assert_string_equal(silence.text, "it does not answer in time");
    assert_int_equal(kill(process.pid, SIGSTOP), 0);
    assert_int_equal(waitpid(process.pid, &status, WUNTRACED), process.pid);
    stop_explain(&silence, &process);
    assert_int_equal(silence.code, ERR_IO);
    assert_ptr_equal(strstr(silence.text, "it does not answer in time: it is stopped: "),
                     silence.text);
    stop_explain(&other, &process);
    assert_string_equal(other.text, "it is odd");
    child_end(process.pid);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_runs_is_not_stopped),
    cmocka_unit_test(what_a_signal_stopped_is_said_with_what_lets_it_go_on),
    cmocka_unit_test(who_traces_it_is_named),
    cmocka_unit_test(debuggers_are_known_by_the_pipes_that_the_runtime_has_open),
    cmocka_unit_test(only_silence_is_explained),
};
UNIT_TESTS(tests);

/* test_program_output.c - what programs write, how they end, and programs that are not there. */
#include "system/program.h"

#include <signal.h>
#include <stdlib.h>

#include "system/process.h"
#include "tests/support/check.h"
#include "tests/support/test_arena.h"

static bool take(struct program_output *out, const char *script, size_t limit, struct err *err)
{
    char *arguments[] = {(char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c",
                         (char *)(uintptr_t)script, NULL};
    const struct program_limits limits = {limit, 60000};
    return program_output_take(out, arguments, variables_all(), &limits, &arena, err);
}

static void both_streams_and_the_status_are_taken(void **state)
{
    (void)state;
    struct program_output out;
    struct err err = {0};
    assert_true(take(&out, "echo one; echo two >&2; exit 3", 100, &err));
    assert_int_equal(out.status, 3);
    assert_false(out.is_missing);
    assert_string_equal(out.output.text, "one\n");
    assert_string_equal(out.errors.text, "two\n");
}

static void signal_that_ended_it_is_told(void **state)
{
    (void)state;
    struct program_output out;
    struct err err = {0};
    assert_true(take(&out, "kill -9 $$", 100, &err));
    assert_int_equal(out.status, 128 + SIGKILL);
}

static void there_is_no_input(void **state)
{
    (void)state;
    struct program_output out;
    struct err err = {0};
    assert_true(take(&out, "cat", 100, &err));
    assert_int_equal(out.status, 0);
    assert_int_equal(out.output.len, 0);
}

/* A pipe would stay open as long as that process. */
static void what_it_leaves_running_is_not_waited_for(void **state)
{
    (void)state;
    struct program_output out;
    struct err err = {0};
    assert_true(take(&out, "sleep 300 & echo $!", 100, &err));
    assert_int_equal(kill(atoi(out.output.text), SIGKILL), 0);
}

static void longer_output_than_allowed_is_refused(void **state)
{
    (void)state;
    struct program_output out;
    struct err err = {0};
    assert_true(take(&out, "printf 1234", 4, &err));
    assert_false(take(&out, "printf 12345", 4, &err));
    assert_int_equal(err.code, ERR_LIMIT);
}

static void what_does_not_end_is_ended(void **state)
{
    (void)state;
    struct program_output out;
    struct err err = {0};
    char *arguments[] = {(char *)(uintptr_t) "sleep", (char *)(uintptr_t) "300", NULL};
    const struct program_limits limits = {100, 50};
    assert_false(program_output_take(&out, arguments, variables_all(), &limits, &arena, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_int_equal(out.status, 128 + SIGKILL);
}

static void missing_program_is_told_apart(void **state)
{
    (void)state;
    struct program_output out;
    struct err err = {0};
    char *arguments[] = {(char *)(uintptr_t) "no-such-program-of-ilcov", NULL};
    const struct program_limits limits = {100, 60000};
    assert_true(program_output_take(&out, arguments, variables_all(), &limits, &arena, &err));
    assert_true(out.is_missing);
}

/* Inherited as ignored, SIGCHLD would leave no status to wait for. */
static void status_is_had_though_children_are_ignored(void **state)
{
    (void)state;
    struct program_output out;
    struct err err = {0};
    (void)signal(SIGCHLD, SIG_IGN);
    bool taken = take(&out, "exit 5", 100, &err);
    (void)signal(SIGCHLD, SIG_DFL);
    assert_true(taken);
    assert_int_equal(out.status, 5);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(both_streams_and_the_status_are_taken, open_arena, close_arena),
    cmocka_unit_test_setup_teardown(signal_that_ended_it_is_told, open_arena, close_arena),
    cmocka_unit_test_setup_teardown(there_is_no_input, open_arena, close_arena),
    cmocka_unit_test_setup_teardown(what_it_leaves_running_is_not_waited_for, open_arena,
                                    close_arena),
    cmocka_unit_test_setup_teardown(longer_output_than_allowed_is_refused, open_arena, close_arena),
    cmocka_unit_test_setup_teardown(what_does_not_end_is_ended, open_arena, close_arena),
    cmocka_unit_test_setup_teardown(missing_program_is_told_apart, open_arena, close_arena),
    cmocka_unit_test_setup_teardown(status_is_had_though_children_are_ignored, open_arena,
                                    close_arena),
};
UNIT_TESTS(tests);

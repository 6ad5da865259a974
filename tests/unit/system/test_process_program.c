/* test_process_program.c - program and arguments of a child that was given them. */
#include "system/process.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/child.h"
#include "tests/support/temporary.h"

struct world {
    struct temporary folder;
    const char *program;
    pid_t pid;
};

/* A copy of sleep(1), which takes several arguments and adds them up. */
static int set_up(void **state)
{
    static struct world w;
    static char name[] = "its own name", one[] = "30", empty[] = "0", two[] = "0.5";
    temporary_open(&w.folder);
    struct str sleep = temporary_read(&w.folder, "/usr/bin/sleep");
    w.program = temporary_file(&w.folder, "program", sleep.text, sleep.len);
    *state = &w;
    if (chmod(w.program, 0700) != 0)
        return -1;
    w.pid = child_program(w.program, (char *[]){name, one, empty, two, NULL}, (char *[]){NULL}, 0);
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    child_end(w->pid);
    temporary_close(&w->folder);
    return 0;
}

static void program_is_the_file_not_the_first_argument(void **state)
{
    const struct world *w = *state;
    char path[4096], expected[4096];
    struct err err = {0};
    assert_non_null(realpath(w->program, expected));
    assert_true(process_program_path(path, sizeof path, w->pid, &err));
    assert_string_equal(path, expected);
}

static void each_argument_has_a_nul_after_it(void **state)
{
    static const char expected[] = "its own name\0"
                                   "30\0"
                                   "0\0"
                                   "0.5\0";
    const struct world *w = *state;
    char arguments[64];
    size_t len = 0;
    assert_true(process_program_arguments(arguments, &len, sizeof arguments, w->pid));
    assert_int_equal(len, sizeof expected - 1);
    assert_memory_equal(arguments, expected, sizeof expected);
}

static void arguments_are_cut_at_the_room(void **state)
{
    const struct world *w = *state;
    char arguments[64];
    size_t len = 0;
    assert_true(process_program_arguments(arguments, &len, 8, w->pid));
    assert_int_equal(len, 7);
    assert_string_equal(arguments, "its own");
}

static void program_of_no_process_is_an_error(void **state)
{
    char path[64] = "old";
    struct err err = {0};
    size_t len = 1;
    (void)state;
    assert_failed(process_program_path(path, sizeof path, 0, &err), err, ERR_IO);
    assert_non_null(strstr(err.text, "/proc/0/exe"));
    assert_string_equal(path, "");
    assert_false(process_program_arguments(path, &len, sizeof path, 0));
    assert_int_equal(len, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(program_is_the_file_not_the_first_argument),
    cmocka_unit_test(each_argument_has_a_nul_after_it),
    cmocka_unit_test(arguments_are_cut_at_the_room),
    cmocka_unit_test(program_of_no_process_is_an_error),
};
UNIT_TESTS_WITH(tests, set_up, tear_down);

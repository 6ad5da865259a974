/* test_program_file.c - which file a command means. */
#include "system/program.h"

#include <stdio.h>
#include <sys/stat.h>

#include "tests/support/check.h"
#include "tests/support/temporary.h"

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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(programs_are_found_as_execvp_finds_them),
};
UNIT_TESTS(tests);

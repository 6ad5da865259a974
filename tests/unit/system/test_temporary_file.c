/* test_temporary_file.c - what a killed process left is removed; what is in use, or another's, is
 * not. */
#include "system/temporary_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/test_folder.h"

static struct temporary_file made(void)
{
    struct temporary_file file;
    assert_true(temporary_file_create(&file, str_of(folder.folder)));
    assert_int_equal(write(file.fd, "x", 1), 1);
    return file;
}

static void closed(struct temporary_file *file)
{
    (void)close(file->fd);
    (void)close(file->lock);
    (void)unlink(file->path);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void what_a_killed_process_left_is_removed(void **state)
{
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        (void)made();
        _exit(0); /* as SIGKILL: nobody removes the file */
    }
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_int_equal(temporary_count(&folder), 1);
    temporary_file_sweep(str_of(folder.folder));
    assert_int_equal(temporary_count(&folder), 0);
}

/* Also after the output was written and closed, until it is renamed. */
static void what_is_in_use_stays(void **state)
{
    (void)state;
    struct temporary_file first = made();
    (void)close(first.fd);
    struct temporary_file second = made();
    temporary_file_sweep(str_of(folder.folder));
    assert_true(is_there(first.path));
    assert_true(is_there(second.path));
    assert_string_not_equal(first.path, second.path);
    first.fd = dup(first.lock);
    closed(&first);
    closed(&second);
}

static void other_names_and_kinds_stay(void **state)
{
    static const char *const names[] = {".ilcov-1-0.tmp.old", ".ilcov-x-0.tmp",  "ilcov-1-0.tmp",
                                        ".ilcov-1-0.copy",    ".ilcov--1-0.tmp", ".ilcov-1-.tmp"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        (void)temporary_file(&folder, names[i], "x", 1);
    assert_int_equal(mkfifo(temporary_path(&folder, ".ilcov-1-1.tmp"), 0600), 0);
    assert_int_equal(symlink("/nowhere", temporary_path(&folder, ".ilcov-1-2.tmp")), 0);
    assert_int_equal(mkdir(temporary_path(&folder, ".ilcov-1-3.tmp"), 0700), 0);
    temporary_file_sweep(str_of(folder.folder));
    assert_int_equal(temporary_count(&folder), ARRAY_LEN(names) + 3);
    (void)rmdir(temporary_path(&folder, ".ilcov-1-3.tmp"));
}

static void another_users_stay(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    const char *path = temporary_file(&folder, ".ilcov-1-0.tmp", "x", 1);
    assert_int_equal(chown(path, 4711, 0), 0);
    struct temporary_file file = made();
    assert_true(is_there(path));
    closed(&file);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_folder, close_folder)
static const struct CMUnitTest tests[] = {
    TEST(what_a_killed_process_left_is_removed),
    TEST(what_is_in_use_stays),
    TEST(other_names_and_kinds_stay),
    TEST(another_users_stay),
};
UNIT_TESTS(tests);

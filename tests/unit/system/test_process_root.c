/* test_process_root.c - files of this process, and of children in another root, folder or
 * namespace. */
#include "system/process.h"

#include <sched.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/child.h"
#include "tests/support/temporary.h"

static bool change_root(const char *path)
{
    return chroot(path) == 0;
}

static bool change_folder(const char *path)
{
    return chdir(path) == 0;
}

static void process_itself_has_our_files(void **state)
{
    char root[64];
    (void)state;
    assert_true(process_root_is_same(getpid()));
    assert_true(process_root_read(root, sizeof root, getpid()));
    assert_string_equal(root, "/");
    assert_false(process_root_is_same(0));
    assert_false(process_root_read(root, sizeof root, 0));
}

static void other_mount_namespace_is_not_the_same_root(void **state)
{
    (void)state;
    if (!child_may_have(CLONE_NEWNS))
        skip();
    pid_t pid = child_apart((char *[]){NULL}, CLONE_NEWNS);
    assert_false(process_root_is_same(pid));
    child_end(pid);
}

static void path_leads_through_the_other_root(void **state)
{
    struct temporary t;
    char path[256], root[256];
    (void)state;
    temporary_open(&t);
    (void)temporary_file(&t, "file", "inside", 6);
    pid_t pid = child_prepared(change_root, t.folder);
    if (pid == 0) {
        temporary_close(&t);
        skip(); /* only root may */
    }
    assert_false(process_root_is_same(pid));
    assert_true(process_root_read(root, sizeof root, pid));
    assert_string_equal(root, t.folder);
    assert_true(process_root_path(path, sizeof path, pid, "/file"));
    assert_str(temporary_read(&t, path), "inside");
    child_end(pid);
    temporary_close(&t);
}

static void path_leads_through_the_current_folder(void **state)
{
    struct temporary t;
    char path[256];
    (void)state;
    temporary_open(&t);
    (void)temporary_file(&t, "file", "inside", 6);
    pid_t pid = child_prepared(change_folder, t.folder);
    assert_true(pid != 0);
    assert_true(process_root_is_same(pid));
    assert_true(process_root_path_from_cwd(path, sizeof path, pid, "file"));
    assert_str(temporary_read(&t, path), "inside");
    child_end(pid);
    temporary_close(&t);
}

static void path_that_does_not_fit_is_refused(void **state)
{
    char path[64];
    (void)state;
    assert_true(process_root_path(path, sizeof "/proc/7/root/a", 7, "/a"));
    assert_string_equal(path, "/proc/7/root/a");
    assert_false(process_root_path(path, sizeof "/proc/7/root/a" - 1, 7, "/a"));
    assert_true(process_root_path_from_cwd(path, sizeof "/proc/7/cwd/a", 7, "a"));
    assert_string_equal(path, "/proc/7/cwd/a");
    assert_false(process_root_path_from_cwd(path, sizeof "/proc/7/cwd/a" - 1, 7, "a"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(process_itself_has_our_files),
    cmocka_unit_test(other_mount_namespace_is_not_the_same_root),
    cmocka_unit_test(path_leads_through_the_other_root),
    cmocka_unit_test(path_leads_through_the_current_folder),
    cmocka_unit_test(path_that_does_not_fit_is_refused),
};
UNIT_TESTS(tests);

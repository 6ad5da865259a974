/* test_output_path.c - where a path leads, whether or not anything is there. */
#include "system/output_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

static struct temporary folder;
static char real[PATH_ROOM]; /* the folder's own path */

static int set_up(void **state)
{
    (void)state;
    temporary_open(&folder);
    assert_non_null(realpath(folder.folder, real));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    temporary_close(&folder);
    return 0;
}

static void assert_leads(const char *from, const char *to)
{
    char path[PATH_ROOM], expected[2 * PATH_ROOM];
    struct err err = {0};
    (void)snprintf(expected, sizeof expected, "%s%s%s", real, to[0] != '\0' ? "/" : "", to);
    if (!output_path(path, temporary_path(&folder, from), &err))
        fail_msg("%s: %s", from, err.text);
    assert_string_equal(path, expected);
}

static void make_link(const char *target, const char *name)
{
    assert_int_equal(symlink(target, temporary_path(&folder, name)), 0);
}

static void links_and_dots_are_followed_even_to_nothing(void **state)
{
    (void)state;
    assert_int_equal(mkdir(temporary_path(&folder, "there"), 0700), 0);
    make_link("there/new", "dangling");
    make_link("dangling", "second");
    make_link("there", "folder");
    make_link("gone/deeper", "gone_folder");
    make_link(temporary_path(&folder, "there"), "absolute");
    static const char *const pairs[][2] = {
        {"a", "a"},
        {"./a//b/", "a/b"},
        {"there/../a", "a"},
        {"gone/../a", "a"},
        {"dangling", "there/new"},
        {"second", "there/new"},
        {"folder/x", "there/x"},
        {"folder/../x", "x"},
        {"gone_folder/x", "gone/deeper/x"},
        {"gone_folder/../x", "gone/x"},
        {"absolute/x", "there/x"},
        {".", ""},
    };
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
        assert_leads(pairs[i][0], pairs[i][1]);
}

static void root_and_relative_paths_have_absolute_names(void **state)
{
    char path[PATH_ROOM], here[PATH_ROOM], expected[PATH_ROOM + sizeof "/none"];
    (void)state;
    assert_true(output_path(path, "/../..", NULL));
    assert_string_equal(path, "/");
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(expected, sizeof expected, "%s/none", here);
    assert_true(output_path(path, "none", NULL));
    assert_string_equal(path, expected);
}

static void what_has_no_name_is_refused(void **state)
{
    char path[PATH_ROOM], name[2 * PATH_ROOM];
    struct err err = {0};
    (void)state;
    make_link("ring", "ring");
    assert_failed(output_path(path, temporary_path(&folder, "ring"), &err), err, ERR_IO);
    assert_failed(output_path(path, "", &err), err, ERR_IO);
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_failed(output_path(path, name, &err), err, ERR_IO);
    name[PATH_ROOM - 1] = '\0';
    assert_failed(output_path(path, name, &err), err, ERR_IO); /* with the current directory */
}

static void parents_are_made_and_removed_again(void **state)
{
    char path[PATH_ROOM];
    size_t len = 0;
    (void)state;
    assert_true(output_path(path, temporary_path(&folder, "a/b/c"), NULL));
    assert_true(output_path_make_parents(&len, path, NULL));
    assert_int_equal(len, strlen(real));
    assert_int_equal(access(temporary_path(&folder, "a/b"), F_OK), 0);
    assert_int_not_equal(access(path, F_OK), 0);
    output_path_remove_parents(path, len);
    assert_int_equal(temporary_count(&folder), 0);
    assert_true(output_path_make_parents(&len, path, NULL));
    (void)temporary_file(&folder, "a/other", "x", 1);
    output_path_remove_parents(path, len);
    assert_int_equal(access(temporary_path(&folder, "a/other"), F_OK), 0);
    assert_int_not_equal(access(temporary_path(&folder, "a/b"), F_OK), 0);
}

static void parents_that_cannot_be_made_leave_nothing(void **state)
{
    struct err err = {0};
    char path[PATH_ROOM];
    size_t len = 0;
    (void)state;
    (void)temporary_file(&folder, "file", "x", 1);
    assert_true(output_path(path, temporary_path(&folder, "file/b/c"), NULL));
    assert_failed(output_path_make_parents(&len, path, &err), err, ERR_IO);
    assert_int_equal(temporary_count(&folder), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
    TEST(links_and_dots_are_followed_even_to_nothing),
    TEST(root_and_relative_paths_have_absolute_names),
    TEST(what_has_no_name_is_refused),
    TEST(parents_are_made_and_removed_again),
    TEST(parents_that_cannot_be_made_leave_nothing),
};
UNIT_TESTS(tests);

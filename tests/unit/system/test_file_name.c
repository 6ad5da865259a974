/* test_file_name.c - names of files and folders are made, changed and removed. */
#include "system/folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system/file.h"
#include "system/file_status.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

static void files_are_removed_and_folders_are_not(void **state)
{
    struct temporary t;
    (void)state;
    temporary_open(&t);
    const char *file = temporary_file(&t, "file", "", 0);
    const char *folder = temporary_path(&t, "folder");
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_true(file_remove(file));
    assert_false(file_exists(file));
    assert_false(file_remove(file));
    assert_int_equal(errno, ENOENT);
    assert_false(file_remove(folder));
    assert_true(file_is_folder(folder));
    temporary_close(&t);
}

static void new_name_is_taken_from_another_file(void **state)
{
    struct temporary t;
    (void)state;
    temporary_open(&t);
    const char *from = temporary_file(&t, "from", "new", 3);
    const char *to = temporary_file(&t, "to", "old", 3);
    assert_true(file_rename(from, to));
    assert_false(file_exists(from));
    assert_string_equal(temporary_read(&t, to).text, "new");
    assert_false(file_rename(from, to));
    assert_int_equal(errno, ENOENT);
    temporary_close(&t);
}

static void names_in_open_folders_are_changed_and_removed(void **state)
{
    struct temporary t;
    (void)state;
    temporary_open(&t);
    assert_int_equal(mkdir(temporary_path(&t, "below"), 0700), 0);
    (void)temporary_file(&t, "from", "x", 1);
    int folder = file_open(t.folder, FILE_PLACE), below = file_open_in(folder, "below", FILE_PLACE);
    assert_true(file_rename_in(folder, "from", below, "to"));
    assert_true(file_exists(temporary_path(&t, "below/to")));
    assert_true(file_remove_in(below, "to"));
    assert_false(file_exists(temporary_path(&t, "below/to")));
    (void)file_close(below);
    (void)file_close(folder);
    temporary_close(&t);
}

static void only_empty_folders_are_removed(void **state)
{
    struct temporary t;
    (void)state;
    temporary_open(&t);
    const char *folder = temporary_path(&t, "folder");
    assert_int_equal(mkdir(folder, 0700), 0);
    const char *file = temporary_file(&t, "folder/file", "", 0);
    assert_false(file_remove_folder(folder));
    assert_int_equal(errno, ENOTEMPTY);
    assert_true(file_remove(file));
    assert_true(file_remove_folder(folder));
    assert_false(file_exists(folder));
    temporary_close(&t);
}

static void unique_folders_are_for_this_user_alone_whatever_the_umask(void **state)
{
    struct temporary t;
    char first[PATH_ROOM], second[PATH_ROOM];
    struct file_status status;
    (void)state;
    temporary_open(&t);
    (void)snprintf(first, sizeof first, "%s/a-XXXXXX", t.folder);
    (void)snprintf(second, sizeof second, "%s", first);
    mode_t mask = umask(0377);
    bool made = file_make_unique_folder(first) && file_make_unique_folder(second);
    (void)umask(mask);
    assert_true(made);
    assert_string_not_equal(first, second);
    assert_int_equal(strlen(first), strlen(t.folder) + strlen("/a-XXXXXX"));
    assert_true(file_status_itself(&status, first));
    assert_int_equal(status.kind, FILE_IS_FOLDER);
    assert_int_equal(status.mode, 0700);
    temporary_close(&t);
}

static void real_path_has_no_links(void **state)
{
    struct temporary t;
    char real[PATH_ROOM], of_link[PATH_ROOM];
    (void)state;
    temporary_open(&t);
    const char *file = temporary_file(&t, "file", "", 0), *alias = temporary_path(&t, "alias");
    assert_int_equal(symlink("file", alias), 0);
    assert_true(file_real_path(real, file));
    assert_true(file_real_path(of_link, alias));
    assert_string_equal(real, of_link);
    assert_true(file_real_path(of_link, temporary_path(&t, "./../.")));
    assert_false(file_real_path(real, temporary_path(&t, "missing")));
    assert_int_equal(errno, ENOENT);
    temporary_close(&t);
}

static void current_folder_is_absolute(void **state)
{
    char folder[PATH_ROOM];
    (void)state;
    assert_true(file_current_folder(folder));
    assert_true(path_is_absolute(str_of(folder)));
    assert_true(file_is_same(folder, "."));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(files_are_removed_and_folders_are_not),
    cmocka_unit_test(new_name_is_taken_from_another_file),
    cmocka_unit_test(names_in_open_folders_are_changed_and_removed),
    cmocka_unit_test(only_empty_folders_are_removed),
    cmocka_unit_test(unique_folders_are_for_this_user_alone_whatever_the_umask),
    cmocka_unit_test(real_path_has_no_links),
    cmocka_unit_test(current_folder_is_absolute),
};
UNIT_TESTS(tests);

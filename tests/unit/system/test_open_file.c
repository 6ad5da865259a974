/* test_open_file.c - what a file is opened or made for is what it can be used for, and no more. */
#include "system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/temporary.h"

static int set_up(void **state)
{
    static struct temporary t;
    temporary_open(&t);
    *state = &t;
    return 0;
}

static int tear_down(void **state)
{
    temporary_close(*state);
    return 0;
}

static void file_is_read_or_written_as_it_was_opened(void **state)
{
    const char *path = temporary_file(*state, "a", "text", 4);
    char text[4];
    int read_only = file_open(path, FILE_READ), write_only = file_open(path, FILE_WRITE),
        both = file_open(path, FILE_READ | FILE_WRITE);
    assert_int_equal(read(read_only, text, 1), 1);
    assert_int_equal(write(read_only, "x", 1), -1);
    assert_int_equal(write(write_only, "n", 1), 1);
    assert_int_equal(read(write_only, text, 1), -1);
    assert_int_equal(read(both, text, 4), 4);
    assert_memory_equal(text, "next", 4); /* of "text" */
    assert_true(file_close(read_only) && file_close(write_only) && file_close(both));
}

static void file_that_is_appended_to_grows_at_its_end(void **state)
{
    const char *path = temporary_file(*state, "a", "one", 3);
    int first = file_open(path, FILE_APPEND), second = file_open(path, FILE_APPEND);
    struct stat status;
    assert_int_equal(write(first, "two", 3), 3);
    assert_int_equal(write(second, "three", 5), 5);
    assert_int_equal(fstat(first, &status), 0);
    assert_int_equal(status.st_size, 11);
    assert_true(file_close(first) && file_close(second));
}

static void file_is_made_for_its_user_alone(void **state)
{
    const char *path = temporary_path(*state, "new");
    struct stat status;
    assert_int_equal(file_open(path, FILE_WRITE), -1);
    assert_int_equal(errno, ENOENT);
    int made = file_open(path, FILE_WRITE | FILE_MAKE);
    assert_int_equal(fstat(made, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    assert_true(file_close(made));
    assert_int_equal(file_open(path, FILE_WRITE | FILE_NEW), -1);
    assert_int_equal(errno, EEXIST);
}

static void link_is_refused_where_it_is_not_wanted(void **state)
{
    const char *path = temporary_path(*state, "link");
    (void)temporary_file(*state, "a", "", 0);
    assert_int_equal(symlink("a", path), 0);
    assert_int_equal(file_open(path, FILE_READ | FILE_NO_LINK), -1);
    assert_int_equal(errno, ELOOP);
    int followed = file_open(path, FILE_READ);
    assert_true(followed >= 0 && file_close(followed));
}

static void folder_is_a_place_for_names(void **state)
{
    const struct temporary *t = *state;
    const char *file = temporary_file(*state, "a", "", 0);
    assert_int_equal(file_open(file, FILE_READ | FILE_FOLDER), -1);
    assert_int_equal(errno, ENOTDIR);
    int folder = file_open(t->folder, FILE_PLACE | FILE_FOLDER);
    int inside = file_open_in(folder, "a", FILE_READ);
    int elsewhere = file_open_in(FILE_HERE, file, FILE_READ);
    assert_true(folder >= 0 && inside >= 0 && elsewhere >= 0);
    assert_true(file_close(folder) && file_close(inside) && file_close(elsewhere));
}

static void pipe_is_not_waited_for(void **state)
{
    const char *path = temporary_path(*state, "pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    int opened = file_open(path, FILE_READ);
    assert_true(opened >= 0 && file_close(opened));
}

static void open_file_is_not_inherited(void **state)
{
    int file = file_open(temporary_file(*state, "a", "", 0), FILE_READ);
    assert_int_equal(fcntl(file, F_GETFD), FD_CLOEXEC);
    assert_true(file_close(file));
}

static void number_of_a_standard_stream_is_given_back(void **state)
{
    int kept = dup(STDIN_FILENO);
    (void)close(STDIN_FILENO);
    int low = file_open(temporary_file(*state, "a", "", 0), FILE_READ);
    assert_int_equal(low, STDIN_FILENO);
    int high = file_above_streams(low);
    assert_true(high > STDERR_FILENO);
    assert_int_equal(fcntl(STDIN_FILENO, F_GETFD), -1);
    assert_int_equal(fcntl(high, F_GETFD), FD_CLOEXEC);
    assert_int_equal(file_above_streams(high), high);
    errno = ENOSPC;
    assert_int_equal(file_above_streams(-1), -1);
    assert_int_equal(errno, ENOSPC);
    assert_true(file_close(high));
    (void)dup2(kept, STDIN_FILENO);
    (void)close(kept);
}

static void closing_nothing_is_no_mistake(void **state)
{
    (void)state;
    assert_true(file_close(-1));
    assert_false(file_close(1 << 20));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(file_is_read_or_written_as_it_was_opened, set_up, tear_down),
    cmocka_unit_test_setup_teardown(file_that_is_appended_to_grows_at_its_end, set_up, tear_down),
    cmocka_unit_test_setup_teardown(file_is_made_for_its_user_alone, set_up, tear_down),
    cmocka_unit_test_setup_teardown(link_is_refused_where_it_is_not_wanted, set_up, tear_down),
    cmocka_unit_test_setup_teardown(folder_is_a_place_for_names, set_up, tear_down),
    cmocka_unit_test_setup_teardown(pipe_is_not_waited_for, set_up, tear_down),
    cmocka_unit_test_setup_teardown(open_file_is_not_inherited, set_up, tear_down),
    cmocka_unit_test_setup_teardown(number_of_a_standard_stream_is_given_back, set_up, tear_down),
    cmocka_unit_test(closing_nothing_is_no_mistake),
};
UNIT_TESTS(tests);

/* test_file_bytes.c - a file is copied whole or not at all; special files are refused, not waited
 * for. */
#include "system/file.h"

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

/* A build may cut a file while it is read: a mapping of it would end in SIGBUS. */
static void copy_stays_when_the_file_is_cut(void **state)
{
    struct view bytes;
    struct err err = {.code = ERR_NONE};
    const char *path = temporary_file(*state, "file", "some bytes", 10);
    assert_true(file_bytes_read(&bytes, path, &err));
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(bytes.len, 10);
    assert_memory_equal(bytes.data, "some bytes", 10);
    file_bytes_release(&bytes);
    assert_null(bytes.data);
    file_bytes_release(&bytes); /* twice does no harm */
}

static void only_regular_files_with_bytes_are_read(void **state)
{
    struct temporary *t = *state;
    struct view bytes;
    struct err err = {.code = ERR_NONE};
    const char *pipe_path = temporary_path(t, "pipe");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_failed(file_bytes_read(&bytes, pipe_path, &err), err, ERR_FORMAT);
    assert_failed(file_bytes_read(&bytes, t->folder, &err), err, ERR_FORMAT);
    assert_failed(file_bytes_read(&bytes, "/dev/null", &err), err, ERR_FORMAT);
    assert_failed(file_bytes_read(&bytes, temporary_file(t, "empty", "", 0), &err), err,
                  ERR_FORMAT);
    assert_failed(file_bytes_read(&bytes, temporary_path(t, "missing"), &err), err, ERR_IO);
    assert_null(strstr(err.text, t->folder)); /* the caller names it */
    assert_null(bytes.data);
}

static void file_in_a_folder_is_read_up_to_its_limit(void **state)
{
    struct temporary *t = *state;
    struct view bytes;
    struct err err = {.code = ERR_NONE};
    (void)temporary_file(t, "file", "some bytes", 10);
    int folder = open(t->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(folder >= 0);
    assert_failed(file_bytes_read_at(&bytes, folder, "file", 9, &err), err, ERR_LIMIT);
    assert_true(file_bytes_read_at(&bytes, folder, "file", 10, &err));
    assert_memory_equal(bytes.data, "some bytes", 10);
    file_bytes_release(&bytes);
    (void)close(folder);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
    TEST(copy_stays_when_the_file_is_cut),
    TEST(only_regular_files_with_bytes_are_read),
    TEST(file_in_a_folder_is_read_up_to_its_limit),
};
UNIT_TESTS(tests);

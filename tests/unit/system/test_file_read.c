/* test_file_read.c - a read of an open file ends at the end of the file, and not before. */
#include "system/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/interposed.h"
#include "tests/support/temporary.h"

/* What the file system answers, in place of the C library's read and pread. */
static struct {
    unsigned interruptions; /* to come */
    size_t most;            /* bytes in one answer */
    const char *text;
    size_t at;
} file;

static ssize_t answer(void *out, size_t room, size_t at)
{
    size_t len = strlen(file.text);
    if (file.interruptions != 0) {
        file.interruptions--;
        errno = EINTR;
        return -1;
    }
    size_t left = at < len ? len - at : 0;
    left = left < room ? left : room;
    left = left < file.most ? left : file.most;
    memcpy(out, file.text + at, left);
    return (ssize_t)left;
}

static ssize_t answer_read(int fd, void *out, size_t room)
{
    (void)fd;
    ssize_t len = answer(out, room, file.at);
    file.at += len > 0 ? (size_t)len : 0;
    return len;
}

static ssize_t answer_pread(int fd, void *out, size_t room, off_t at)
{
    (void)fd;
    return answer(out, room, (size_t)at);
}

static int interpose(void **state)
{
    (void)state;
    interposed.read = answer_read;
    interposed.pread = answer_pread;
    return 0;
}

static int leave(void **state)
{
    (void)state;
    interposed = original;
    return 0;
}

static void signals_do_not_end_a_read(void **state)
{
    char out[8] = "";
    (void)state;
    file.interruptions = 3, file.most = 100, file.text = "some bytes", file.at = 0;
    assert_int_equal(file_read_some(0, out, 4), 4);
    assert_memory_equal(out, "some", 4);
    file.interruptions = 2;
    assert_true(file_read_at(out, 5, 0, 5));
    assert_memory_equal(out, "bytes", 5);
}

static void short_answers_are_continued(void **state)
{
    char out[16] = "";
    (void)state;
    file.interruptions = 1, file.most = 3, file.text = "some bytes";
    assert_true(file_read_at(out, 10, 0, 0));
    assert_string_equal(out, "some bytes");
}

static void end_of_the_file_is_told_apart(void **state)
{
    char out[16] = "";
    (void)state;
    file.interruptions = 0, file.most = 3, file.text = "some bytes", file.at = 10;
    assert_int_equal(file_read_some(0, out, 4), 0);
    errno = 0;
    assert_false(file_read_at(out, 11, 0, 0));
    assert_int_equal(errno, ENODATA);
    assert_true(file_read_at(out, 0, 0, 10));
}

static void only_regular_files_are_opened(void **state)
{
    struct temporary folder;
    (void)state;
    temporary_open(&folder);
    const char *pipe_path = temporary_path(&folder, "pipe");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    const char *link_path = temporary_path(&folder, "zero");
    assert_int_equal(symlink("/dev/zero", link_path), 0);
    const char *const refused[] = {pipe_path, link_path, folder.folder};
    for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
        errno = 0;
        assert_int_equal(file_read_open(refused[i]), -1);
        assert_int_equal(errno, EINVAL);
    }
    assert_int_equal(file_read_open(temporary_path(&folder, "missing")), -1);
    assert_int_equal(errno, ENOENT);
    int fd = file_read_open(temporary_file(&folder, "file", "", 0));
    assert_true(fd >= 0);
    (void)close(fd);
    temporary_close(&folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(signals_do_not_end_a_read),
    cmocka_unit_test(short_answers_are_continued),
    cmocka_unit_test(end_of_the_file_is_told_apart),
    cmocka_unit_test(only_regular_files_are_opened),
};
UNIT_TESTS_WITH(tests, interpose, leave);

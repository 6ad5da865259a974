/* test_file_text.c - texts of files, from where they are read to and up to a limit. */
#include "system/file.h"

#include <fcntl.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/temporary.h"

static void rest_of_the_file_is_read(void **state)
{
    struct temporary t;
    struct str text;
    struct err err = {0};
    (void)state;
    temporary_open(&t);
    int fd = open(temporary_file(&t, "file", "a\0bc", 4), O_RDONLY | O_CLOEXEC);
    assert_int_equal(lseek(fd, 1, SEEK_SET), 1);
    assert_true(file_text_read(&text, fd, 100, &t.arena, &err));
    assert_int_equal(text.len, 3);
    assert_memory_equal(text.text, "\0bc", 4);
    assert_true(file_text_read(&text, fd, 100, &t.arena, &err)); /* nothing is left */
    assert_int_equal(text.len, 0);
    assert_string_equal(text.text, "");
    (void)close(fd);
    temporary_close(&t);
}

/* A pipe gives a part at a time. */
static void parts_are_put_together(void **state)
{
    struct temporary t;
    struct str text;
    struct err err = {0};
    int ends[2];
    char data[10000];
    (void)state;
    temporary_open(&t);
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (char)('a' + i % 23);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], data, sizeof data), sizeof data);
    (void)close(ends[1]);
    assert_true(file_text_read(&text, ends[0], sizeof data, &t.arena, &err));
    assert_int_equal(text.len, sizeof data);
    assert_memory_equal(text.text, data, sizeof data);
    (void)close(ends[0]);
    temporary_close(&t);
}

static void reading_stops_after_the_limit(void **state)
{
    struct temporary t;
    struct str text;
    struct err err = {0};
    (void)state;
    temporary_open(&t);
    int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    assert_true(file_text_read(&text, fd, 50000, &t.arena, &err));
    assert_true(text.len >= 50000 && text.len < 50000 + 4096);
    (void)close(fd);
    temporary_close(&t);
}

static void what_cannot_be_read_is_an_error(void **state)
{
    struct temporary t;
    struct str text;
    struct err err = {0};
    (void)state;
    temporary_open(&t);
    int fd = open(t.folder, O_RDONLY | O_CLOEXEC);
    assert_failed(file_text_read(&text, fd, 100, &t.arena, &err), err, ERR_IO);
    (void)close(fd);
    temporary_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rest_of_the_file_is_read),
    cmocka_unit_test(parts_are_put_together),
    cmocka_unit_test(reading_stops_after_the_limit),
    cmocka_unit_test(what_cannot_be_read_is_an_error),
};
UNIT_TESTS(tests);

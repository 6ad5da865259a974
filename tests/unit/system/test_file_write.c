/* test_file_write.c - all is written or the reason is told; room is taken before it is needed. */
#include "system/file.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "system/folder.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

static struct temporary files;

static int set_up(void **state)
{
    temporary_open(&files);
    *state = NULL;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    temporary_close(&files);
    return 0;
}

static int make(const char *name)
{
    int file = file_open(temporary_path(&files, name), FILE_READ | FILE_WRITE | FILE_MAKE);
    assert_true(file >= 0);
    return file;
}

static struct stat status_of(int file)
{
    struct stat status;
    assert_int_equal(fstat(file, &status), 0);
    return status;
}

static void assert_content(const char *name, const char *text)
{
    struct str content = temporary_read(&files, temporary_path(&files, name));
    assert_int_equal(content.len, strlen(text));
    assert_memory_equal(content.text, text, content.len);
}

static void bytes_go_where_they_are_meant(void **state)
{
    int file = make("a");
    (void)state;
    assert_true(file_write(file, "abc", 3) && file_write(file, "def", 3));
    assert_true(file_write_at(file, "XY", 2, 1) && file_write_at(file, "", 0, 99));
    assert_true(file_close(file));
    assert_content("a", "aXYdef");
}

static void nothing_is_written_to_what_is_open_for_reading(void **state)
{
    int file = file_open(temporary_file(&files, "a", "abc", 3), FILE_READ);
    const struct view part = {(const uint8_t *)"x", 1};
    (void)state;
    assert_false(file_write(file, "x", 1));
    assert_int_equal(errno, EBADF);
    assert_false(file_write_at(file, "x", 1, 0));
    assert_int_equal(file_write_parts(file, &part, 1), -1);
    assert_true(file_close(file));
    assert_content("a", "abc");
}

static void parts_are_appended_together(void **state)
{
    const struct view parts[] = {
        {(const uint8_t *)"one", 3}, {(const uint8_t *)"\t", 1}, {(const uint8_t *)"two\n", 4}};
    int file = file_open(temporary_file(&files, "a", "zero\n", 5), FILE_APPEND);
    (void)state;
    assert_int_equal(file_write_parts(file, parts, ARRAY_LEN(parts)), 8);
    assert_int_equal(file_write_parts(file, parts, 1), 3);
    assert_true(file_close(file));
    assert_content("a", "zero\none\ttwo\none");
}

static void most_parts_are_written(void **state)
{
    struct view parts[FILE_PARTS_MAX];
    int file = make("a");
    (void)state;
    for (size_t i = 0; i < FILE_PARTS_MAX; i++)
        parts[i] = (struct view){(const uint8_t *)"ab", 2};
    assert_int_equal(file_write_parts(file, parts, FILE_PARTS_MAX), 2 * FILE_PARTS_MAX);
    assert_true(file_close(file));
}

static void length_is_given_without_room(void **state)
{
    int file = make("a");
    (void)state;
    assert_true(file_write(file, "abcdef", 6) && file_set_length(file, 3));
    assert_content("a", "abc");
    assert_true(file_set_length(file, 1 << 20));
    assert_int_equal(status_of(file).st_size, 1 << 20);
    assert_true(status_of(file).st_blocks * 512 < 1 << 20);
    assert_true(file_close(file));
}

static void room_is_taken_with_or_without_length(void **state)
{
    int file = make("a"), beyond = make("b");
    (void)state;
    assert_true(file_reserve(file, 0, 100000) && file_reserve(file, 100000, 50000));
    assert_int_equal(status_of(file).st_size, 150000);
    assert_true(status_of(file).st_blocks * 512 >= 150000);
    if (file_reserve_beyond(beyond, 100000)) {
        assert_int_equal(status_of(beyond).st_size, 0);
        assert_true(status_of(beyond).st_blocks * 512 >= 100000);
    }
    assert_true(file_flush(file) && file_close(file) && file_close(beyond));
}

static void room_that_is_not_there_is_refused(void **state)
{
    int file = make("a");
    uint64_t room = file_system_room_open(file);
    (void)state;
    assert_true(room != UINT64_MAX && file_system_room(files.folder) != UINT64_MAX);
    assert_int_equal(file_system_room("/does/not/exist"), UINT64_MAX);
    assert_int_equal(file_system_room_open(-1), UINT64_MAX);
    assert_false(file_reserve(file, 0, (uint64_t)1 << 62));
    assert_true(errno == ENOSPC || errno == EFBIG);
    assert_true(file_close(file));
}

static void limit_of_the_process_is_asked(void **state)
{
    struct rlimit before, limit;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 1000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    bool allows = file_length_allowed(1000), allows_more = file_length_allowed(1001);
    int why = errno;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(allows && !allows_more);
    assert_int_equal(why, EFBIG);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(bytes_go_where_they_are_meant, set_up, tear_down),
    cmocka_unit_test_setup_teardown(nothing_is_written_to_what_is_open_for_reading, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(parts_are_appended_together, set_up, tear_down),
    cmocka_unit_test_setup_teardown(most_parts_are_written, set_up, tear_down),
    cmocka_unit_test_setup_teardown(length_is_given_without_room, set_up, tear_down),
    cmocka_unit_test_setup_teardown(room_is_taken_with_or_without_length, set_up, tear_down),
    cmocka_unit_test_setup_teardown(room_that_is_not_there_is_refused, set_up, tear_down),
    cmocka_unit_test(limit_of_the_process_is_asked),
};
UNIT_TESTS(tests);

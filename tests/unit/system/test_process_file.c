/* test_process_file.c - files of this process, of its parent and of a child that has ended. */
#include "system/process.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/child.h"

static void path_names_the_process(void **state)
{
    char path[PROCESS_PATH_ROOM], expected[PROCESS_PATH_ROOM];
    (void)state;
    process_file_path(path, PROCESS_SELF, "fd");
    assert_string_equal(path, "/proc/self/fd");
    process_file_path(path, 42, "task/43/comm");
    assert_string_equal(path, "/proc/42/task/43/comm");
    process_file_path(path, PROCESS_PARENT, "exe");
    (void)snprintf(expected, sizeof expected, "/proc/%ld/exe", (long)getppid());
    assert_string_equal(path, expected);
}

static void number_zero_is_not_a_process(void **state)
{
    char text[64];
    size_t len = 1;
    (void)state;
    assert_false(process_file_read(text, &len, sizeof text, 0, "comm"));
    assert_int_equal(len, 0);
    assert_string_equal(text, "");
}

/* Bytes before and after the room stay as they are. */
static void text_is_cut_at_the_room(void **state)
{
    char whole[256], part[10];
    size_t whole_len = 0, part_len = 0;
    (void)state;
    assert_true(process_file_read(whole, &whole_len, sizeof whole, PROCESS_SELF, "comm"));
    assert_int_equal(strlen(whole), whole_len);
    assert_true(whole_len > 4); /* the program's name and a line feed */
    memset(part, '#', sizeof part);
    assert_true(process_file_read(part, &part_len, 4, PROCESS_SELF, "comm"));
    assert_int_equal(part_len, 3);
    assert_memory_equal(part, whole, 3);
    assert_memory_equal(part + 3, "\0######", 7);
}

static void link_is_cut_at_the_room(void **state)
{
    char whole[4096], part[10];
    (void)state;
    assert_true(process_file_link(whole, sizeof whole, PROCESS_SELF, "exe"));
    assert_int_equal(whole[0], '/');
    assert_int_equal(access(whole, X_OK), 0);
    memset(part, '#', sizeof part);
    assert_true(process_file_link(part, 6, PROCESS_SELF, "exe"));
    assert_memory_equal(part, whole, 5);
    assert_memory_equal(part + 5, "\0####", 5);
}

static void process_that_is_gone_has_neither_text_nor_link(void **state)
{
    char text[64] = "old";
    size_t len = 3;
    char *environment[] = {NULL};
    (void)state;
    pid_t pid = child_start(environment);
    child_end(pid);
    assert_false(process_file_read(text, &len, sizeof text, pid, "comm"));
    assert_int_equal(len, 0);
    assert_string_equal(text, "");
    text[0] = 'o';
    errno = 0;
    assert_false(process_file_link(text, sizeof text, pid, "exe"));
    assert_int_equal(errno, ENOENT);
    assert_string_equal(text, "");
}

/* A folder can be opened, but not read. */
static void what_cannot_be_read_is_empty(void **state)
{
    char text[64] = "old";
    size_t len = 3;
    (void)state;
    assert_false(process_file_read(text, &len, sizeof text, PROCESS_SELF, "fd"));
    assert_int_equal(len, 0);
    assert_string_equal(text, "");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(path_names_the_process),
    cmocka_unit_test(number_zero_is_not_a_process),
    cmocka_unit_test(text_is_cut_at_the_room),
    cmocka_unit_test(link_is_cut_at_the_room),
    cmocka_unit_test(process_that_is_gone_has_neither_text_nor_link),
    cmocka_unit_test(what_cannot_be_read_is_empty),
};
UNIT_TESTS(tests);

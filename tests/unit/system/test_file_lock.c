/* test_file_lock.c - a lock is held against every other open file until its own is closed. */
#include "system/file.h"

#include <errno.h>

#include "tests/support/check.h"
#include "tests/support/temporary.h"

struct two {
    struct temporary folder;
    int first, second; /* the same file, opened twice */
};

static void two_open(struct two *t)
{
    temporary_open(&t->folder);
    const char *path = temporary_file(&t->folder, "file", "", 0);
    t->first = file_open(path, FILE_READ);
    t->second = file_open(path, FILE_READ);
    assert_true(t->first >= 0 && t->second >= 0);
}

static void two_close(struct two *t)
{
    (void)file_close(t->first);
    (void)file_close(t->second);
    temporary_close(&t->folder);
}

static void exclusive_lock_keeps_all_others_out(void **state)
{
    struct two t;
    (void)state;
    two_open(&t);
    assert_int_equal(file_lock_try(t.first, FILE_LOCK_EXCLUSIVE), FILE_LOCKED);
    assert_int_equal(file_lock_try(t.second, FILE_LOCK_EXCLUSIVE), FILE_LOCK_TAKEN);
    assert_int_equal(file_lock_try(t.second, FILE_LOCK_SHARED), FILE_LOCK_TAKEN);
    two_close(&t);
}

static void shared_lock_keeps_only_an_exclusive_one_out(void **state)
{
    struct two t;
    (void)state;
    two_open(&t);
    assert_int_equal(file_lock_try(t.first, FILE_LOCK_SHARED), FILE_LOCKED);
    assert_int_equal(file_lock_try(t.second, FILE_LOCK_SHARED), FILE_LOCKED);
    assert_int_equal(file_lock_try(t.second, FILE_LOCK_EXCLUSIVE), FILE_LOCK_TAKEN);
    two_close(&t);
}

static void lock_is_replaced_by_another_of_the_same_open_file(void **state)
{
    struct two t;
    (void)state;
    two_open(&t);
    assert_int_equal(file_lock_try(t.first, FILE_LOCK_EXCLUSIVE), FILE_LOCKED);
    assert_int_equal(file_lock_try(t.first, FILE_LOCK_SHARED), FILE_LOCKED);
    assert_int_equal(file_lock_try(t.second, FILE_LOCK_SHARED), FILE_LOCKED);
    two_close(&t);
}

static void lock_ends_with_its_open_file(void **state)
{
    struct two t;
    (void)state;
    two_open(&t);
    assert_int_equal(file_lock_try(t.first, FILE_LOCK_EXCLUSIVE), FILE_LOCKED);
    (void)file_close(t.first);
    t.first = -1;
    assert_int_equal(file_lock_try(t.second, FILE_LOCK_EXCLUSIVE), FILE_LOCKED);
    two_close(&t);
}

static void folders_are_locked_like_files(void **state)
{
    struct temporary t;
    (void)state;
    temporary_open(&t);
    int first = file_open(t.folder, FILE_READ | FILE_FOLDER);
    int second = file_open(t.folder, FILE_READ | FILE_FOLDER);
    assert_int_equal(file_lock_try(first, FILE_LOCK_SHARED), FILE_LOCKED);
    assert_int_equal(file_lock_try(second, FILE_LOCK_EXCLUSIVE), FILE_LOCK_TAKEN);
    (void)file_close(first);
    (void)file_close(second);
    temporary_close(&t);
}

static void failure_is_not_a_lock_that_is_taken(void **state)
{
    (void)state;
    errno = 0;
    assert_int_equal(file_lock_try(-1, FILE_LOCK_SHARED), FILE_LOCK_FAILED);
    assert_int_equal(errno, EBADF);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(exclusive_lock_keeps_all_others_out),
    cmocka_unit_test(shared_lock_keeps_only_an_exclusive_one_out),
    cmocka_unit_test(lock_is_replaced_by_another_of_the_same_open_file),
    cmocka_unit_test(lock_ends_with_its_open_file),
    cmocka_unit_test(folders_are_locked_like_files),
    cmocka_unit_test(failure_is_not_a_lock_that_is_taken),
};
UNIT_TESTS(tests);

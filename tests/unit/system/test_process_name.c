/* test_process_name.c - names that a process and its threads gave themselves. */
#include "system/process.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "tests/support/check.h"

static void process_has_the_name_that_it_gave_itself(void **state)
{
    char name[PROCESS_NAME_ROOM];
    (void)state;
    assert_int_equal(prctl(PR_SET_NAME, "a name"), 0);
    assert_true(process_name_read(name, getpid()));
    assert_string_equal(name, "a name");
    assert_true(process_name_read(name, PROCESS_SELF));
    assert_string_equal(name, "a name");
}

static void long_name_is_what_the_kernel_keeps_of_it(void **state)
{
    char name[PROCESS_NAME_ROOM];
    (void)state;
    assert_int_equal(prctl(PR_SET_NAME, "0123456789abcdefghij"), 0);
    assert_true(process_name_read(name, PROCESS_SELF));
    assert_string_equal(name, "0123456789abcde");
}

/* Only the line feed that the kernel adds is taken away. */
static void name_may_hold_line_feeds(void **state)
{
    char name[PROCESS_NAME_ROOM];
    (void)state;
    assert_int_equal(prctl(PR_SET_NAME, "a\nb\n"), 0);
    assert_true(process_name_read(name, PROCESS_SELF));
    assert_string_equal(name, "a\nb\n");
}

static void *read_own_name(void *argument)
{
    char *name = argument;
    if (prctl(PR_SET_NAME, "worker") != 0 ||
        !process_name_of_thread(name, PROCESS_SELF, (uint32_t)gettid()))
        name[0] = '\0';
    return NULL;
}

static void thread_has_a_name_of_its_own(void **state)
{
    char name[PROCESS_NAME_ROOM] = "", leader[PROCESS_NAME_ROOM];
    pthread_t thread;
    (void)state;
    assert_int_equal(prctl(PR_SET_NAME, "leader"), 0);
    assert_int_equal(pthread_create(&thread, NULL, read_own_name, name), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_string_equal(name, "worker");
    assert_true(process_name_of_thread(leader, PROCESS_SELF, (uint32_t)getpid()));
    assert_string_equal(leader, "leader");
}

static void thread_of_another_process_has_no_name(void **state)
{
    char name[PROCESS_NAME_ROOM] = "old";
    (void)state;
    assert_false(process_name_of_thread(name, PROCESS_SELF, (uint32_t)getppid()));
    assert_string_equal(name, "");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(process_has_the_name_that_it_gave_itself),
    cmocka_unit_test(long_name_is_what_the_kernel_keeps_of_it),
    cmocka_unit_test(name_may_hold_line_feeds),
    cmocka_unit_test(thread_has_a_name_of_its_own),
    cmocka_unit_test(thread_of_another_process_has_no_name),
};
UNIT_TESTS(tests);

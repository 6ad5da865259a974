/* test_process_call.c - what another thread of this process waits in. */
#include "system/process.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/support/check.h"

enum {
    TRIES = 2000 /* of 5 ms */
};

struct waiter {
    int ends[2];
    _Atomic int number;
};

static void *wait_for_byte(void *argument)
{
    struct waiter *waiter = argument;
    char byte;
    atomic_store(&waiter->number, (int)syscall(SYS_gettid));
    (void)!read(waiter->ends[0], &byte, 1);
    return NULL;
}

static void the_call_that_a_thread_waits_in_is_known(void **state)
{
    struct waiter waiter = {.number = 0};
    pthread_t thread;
    int call = PROCESS_NO_CALL;
    (void)state;
    assert_int_equal(pipe(waiter.ends), 0);
    assert_int_equal(pthread_create(&thread, NULL, wait_for_byte, &waiter), 0);
    for (int i = 0; call != SYS_read && i < TRIES; i++) {
        (void)usleep(5000);
        call = process_call_of_thread((uint32_t)atomic_load(&waiter.number));
    }
    assert_int_equal(call, SYS_read);
    assert_string_equal(process_call_name(call), "read");
    (void)!write(waiter.ends[1], "x", 1);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

/* A walk stops threads by a futex, so it says nothing of them. */
static void *wait_for_lock(void *argument)
{
    _Atomic int *number = argument;
    atomic_store(number, (int)syscall(SYS_gettid));
    (void)syscall(SYS_futex, number + 1, 0 /* FUTEX_WAIT */, 0, NULL, NULL, 0);
    return NULL;
}

static void a_lock_and_a_running_thread_are_no_call(void **state)
{
    _Atomic int words[2] = {0, 0};
    pthread_t thread;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, wait_for_lock, words), 0);
    while (atomic_load(words) == 0)
        (void)usleep(1000);
    for (int i = 0; i < 20; i++) {
        (void)usleep(1000);
        assert_int_equal(process_call_of_thread((uint32_t)atomic_load(words)), PROCESS_NO_CALL);
    }
    atomic_store(words + 1, 1);
    (void)syscall(SYS_futex, words + 1, 1 /* FUTEX_WAKE */, 1, NULL, NULL, 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_null(process_call_name(SYS_futex));
    assert_null(process_call_name(PROCESS_NO_CALL));
    assert_int_equal(process_call_of_thread(UINT32_MAX), PROCESS_NO_CALL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_call_that_a_thread_waits_in_is_known),
    cmocka_unit_test(a_lock_and_a_running_thread_are_no_call),
};
UNIT_TESTS(tests);

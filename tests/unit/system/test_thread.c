/* test_thread.c - threads of the library's own, and how they wait for each other. */
#include "system/thread.h"

#include <pthread.h>
#include <signal.h>

#include "system/clock.h"
#include "system/process.h"
#include "tests/support/check.h"

enum {
    TURNS = 10000
};

/* A mutex that is all zeroes must be what the system calls a new one. */
static void new_mutex_is_all_zeroes(void **state)
{
    static const struct mutex zeroes;
    const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    (void)state;
    assert_memory_equal(&zeroes, &fresh, sizeof fresh);
}

struct shared {
    struct mutex lock;
    struct condition moved;
    unsigned sum;
    bool is_asked, is_done;
    uint32_t number;
    bool blocks_signals, has_name;
};

static void *add(void *argument)
{
    struct shared *s = argument;
    for (unsigned i = 0; i < TURNS; i++) {
        mutex_lock(&s->lock);
        s->sum++;
        mutex_unlock(&s->lock);
    }
    return NULL;
}

static void one_thread_at_a_time_has_the_mutex(void **state)
{
    struct shared s = {.sum = 0};
    struct thread threads[3];
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        assert_true(thread_start(&threads[i], "adds", add, &s));
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        thread_join(&threads[i]);
    assert_int_equal(s.sum, 3 * TURNS);
}

static void *look(void *argument)
{
    struct shared *s = argument;
    mutex_lock(&s->lock); /* when it has its name */
    mutex_unlock(&s->lock);
    char name[PROCESS_NAME_ROOM];
    sigset_t blocked;
    s->number = thread_own_number();
    s->has_name = process_name_of_thread(name, process_self(), s->number) &&
                  strcmp(name, "fifteen letters") == 0;
    s->blocks_signals = pthread_sigmask(SIG_SETMASK, NULL, &blocked) == 0 &&
                        sigismember(&blocked, SIGTERM) == 1 && sigismember(&blocked, SIGRTMAX) == 1;
    thread_yield();
    return NULL;
}

static void thread_has_a_name_and_no_signals(void **state)
{
    struct shared s = {.sum = 0};
    struct thread thread;
    sigset_t before, after;
    (void)state;
    (void)pthread_sigmask(SIG_SETMASK, NULL, &before);
    mutex_lock(&s.lock);
    assert_true(thread_start(&thread, "fifteen letters", look, &s));
    mutex_unlock(&s.lock);
    thread_join(&thread);
    (void)pthread_sigmask(SIG_SETMASK, NULL, &after);
    assert_true(s.blocks_signals);
    assert_int_equal(sigismember(&before, SIGTERM), sigismember(&after, SIGTERM));
    assert_true(s.has_name);
    assert_int_not_equal(s.number, thread_own_number());
    assert_int_equal(thread_own_number(), process_self()); /* of the first thread */
}

static void *answer(void *argument)
{
    struct shared *s = argument;
    mutex_lock(&s->lock);
    while (!s->is_asked)
        condition_wait(&s->moved, &s->lock);
    s->is_done = true;
    condition_signal(&s->moved);
    mutex_unlock(&s->lock);
    return NULL;
}

static void condition_wakes_who_waits(void **state)
{
    struct shared s = {.sum = 0};
    struct thread thread;
    (void)state;
    condition_init(&s.moved);
    assert_true(thread_start(&thread, "answers", answer, &s));
    mutex_lock(&s.lock);
    s.is_asked = true;
    condition_signal(&s.moved);
    while (!s.is_done)
        condition_wait(&s.moved, &s.lock);
    mutex_unlock(&s.lock);
    thread_join(&thread);
    condition_end(&s.moved);
}

static void condition_waits_no_longer_than_allowed(void **state)
{
    struct shared s = {.sum = 0};
    bool in_time = true;
    (void)state;
    condition_init(&s.moved);
    mutex_lock(&s.lock);
    int64_t until = clock_ms() + 30;
    while (in_time)
        in_time = condition_wait_until(&s.moved, &s.lock, until);
    assert_true(clock_ms() >= until);
    assert_false(condition_wait_until(&s.moved, &s.lock, 0));
    mutex_unlock(&s.lock);
    condition_end(&s.moved);
}

static void rest_lasts_at_least_that_long(void **state)
{
    (void)state;
    int64_t before = clock_ms();
    clock_rest(3);
    clock_rest_us(2000);
    assert_true(clock_ms() >= before + 4);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(new_mutex_is_all_zeroes),
    cmocka_unit_test(one_thread_at_a_time_has_the_mutex),
    cmocka_unit_test(thread_has_a_name_and_no_signals),
    cmocka_unit_test(condition_wakes_who_waits),
    cmocka_unit_test(condition_waits_no_longer_than_allowed),
    cmocka_unit_test(rest_lasts_at_least_that_long),
};
UNIT_TESTS(tests);

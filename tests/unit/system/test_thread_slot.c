/* test_thread_slot.c - each thread has a pointer of its own, NULL until it sets it. */
#include "system/thread.h"

#include <limits.h>
#include <pthread.h>

#include "tests/support/check.h"

struct seen {
    const struct thread_slot *slot;
    void *at_first, *then, *other;
};

static void *set_and_get(void *argument)
{
    struct seen *seen = argument;
    seen->at_first = thread_slot_get(seen->slot);
    thread_slot_set(seen->slot, seen->other);
    seen->then = thread_slot_get(seen->slot);
    return NULL;
}

static void run(struct seen *seen)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, set_and_get, seen), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void threads_have_pointers_of_their_own(void **state)
{
    struct thread_slot slot;
    int here = 0, there = 0;
    struct seen seen = {.slot = &slot, .other = &there};
    (void)state;
    assert_true(thread_slot_open(&slot));
    assert_null(thread_slot_get(&slot));
    thread_slot_set(&slot, &here);
    for (unsigned i = 0; i < 2; i++) { /* the second has nothing of the first */
        run(&seen);
        assert_null(seen.at_first);
        assert_ptr_equal(seen.then, &there);
        assert_ptr_equal(thread_slot_get(&slot), &here);
    }
    thread_slot_set(&slot, NULL);
    assert_null(thread_slot_get(&slot));
}

static void slots_do_not_share_a_pointer(void **state)
{
    struct thread_slot first, second;
    int of_first = 0, of_second = 0;
    (void)state;
    assert_true(thread_slot_open(&first));
    thread_slot_set(&first, &of_first);
    assert_true(thread_slot_open(&second));
    assert_null(thread_slot_get(&second));
    thread_slot_set(&second, &of_second);
    assert_ptr_equal(thread_slot_get(&first), &of_first);
    assert_ptr_equal(thread_slot_get(&second), &of_second);
}

/* Not what is in the slot of the same key either. */
static void slot_that_is_not_open_holds_nothing(void **state)
{
    struct thread_slot open, closed;
    int here = 0, there = 0;
    (void)state;
    assert_true(thread_slot_open(&open));
    thread_slot_set(&open, &here);
    closed = open;
    closed.is_open = false;
    assert_null(thread_slot_get(&closed));
    thread_slot_set(&closed, &there);
    assert_null(thread_slot_get(&closed));
    assert_ptr_equal(thread_slot_get(&open), &here);
}

static void too_many_slots_are_refused(void **state)
{
    static struct thread_slot slots[PTHREAD_KEYS_MAX + 1];
    int here = 0;
    unsigned count = 0;
    (void)state;
    while (count < ARRAY_LEN(slots) && thread_slot_open(&slots[count]))
        count++;
    assert_in_range(count, 1, PTHREAD_KEYS_MAX);
    assert_false(slots[count].is_open);
    thread_slot_set(&slots[count], &here);
    assert_null(thread_slot_get(&slots[count]));
    for (unsigned i = 0; i < count; i++)
        assert_null(thread_slot_get(&slots[i]));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(threads_have_pointers_of_their_own),
    cmocka_unit_test(slots_do_not_share_a_pointer),
    cmocka_unit_test(slot_that_is_not_open_holds_nothing),
    cmocka_unit_test(too_many_slots_are_refused),
};
UNIT_TESTS(tests);

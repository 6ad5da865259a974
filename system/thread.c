#include "system/thread.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- thread ----------------------------------------------------------------------------------- */

enum {
    STACK_LEN = 512 << 10 /* also holds the static thread-local data of all libraries */
};

_Static_assert(sizeof(struct thread) >= sizeof(pthread_t), "room for the system's");

/* A new thread inherits its creator's signal mask, so all signals are blocked meanwhile. */
bool thread_start(struct thread *out, const char *name, void *(*run)(void *), void *argument)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, old;
    (void)sigfillset(&all);
    if (pthread_attr_init(&attributes) != 0)
        return false;
    (void)pthread_attr_setstacksize(&attributes, STACK_LEN);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    bool started = pthread_create(&thread, &attributes, run, argument) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    (void)pthread_attr_destroy(&attributes);
    if (!started)
        return false;
    (void)pthread_setname_np(thread, name);
    memcpy(&out->handle, &thread, sizeof thread);
    return true;
}

void thread_join(const struct thread *thread)
{
    pthread_t handle;
    memcpy(&handle, &thread->handle, sizeof handle);
    (void)pthread_join(handle, NULL);
}

uint32_t thread_own_number(void)
{
    return (uint32_t)gettid();
}

void thread_yield(void)
{
    (void)sched_yield();
}

/* --- thread stack ----------------------------------------------------------------------------- */

/* Of an unlimited main stack, which no thread needs. */
static const size_t len_max = (size_t)1 << 30;

bool thread_stack_find(struct thread_stack *out)
{
    pthread_attr_t attributes;
    void *low = NULL;
    size_t len = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return false;
    bool known = pthread_attr_getstack(&attributes, &low, &len) == 0 && len != 0;
    (void)pthread_attr_destroy(&attributes);
    if (!known)
        return false;
    out->high = (uintptr_t)low + len;
    out->low = len < len_max ? (uintptr_t)low : out->high - len_max;
    return true;
}

/* --- thread slot ------------------------------------------------------------------------------ */

bool thread_slot_open(struct thread_slot *out)
{
    pthread_key_t key;
    out->is_open = pthread_key_create(&key, NULL) == 0;
    if (out->is_open)
        out->key = key;
    return out->is_open;
}

void thread_slot_set(const struct thread_slot *slot, void *pointer)
{
    if (slot->is_open)
        (void)pthread_setspecific((pthread_key_t)slot->key, pointer);
}

void *thread_slot_get(const struct thread_slot *slot)
{
    return slot->is_open ? pthread_getspecific((pthread_key_t)slot->key) : NULL;
}

/* --- mutex ------------------------------------------------------------------------------------ */

_Static_assert(sizeof(struct mutex) >= sizeof(pthread_mutex_t) &&
                   _Alignof(struct mutex) >= _Alignof(pthread_mutex_t),
               "room for the system's; PTHREAD_MUTEX_INITIALIZER is all zeroes, see test_thread.c");

void mutex_lock(struct mutex *mutex)
{
    (void)pthread_mutex_lock((pthread_mutex_t *)mutex);
}

void mutex_unlock(struct mutex *mutex)
{
    (void)pthread_mutex_unlock((pthread_mutex_t *)mutex);
}

/* --- condition -------------------------------------------------------------------------------- */

_Static_assert(sizeof(struct condition) >= sizeof(pthread_cond_t) &&
                   _Alignof(struct condition) >= _Alignof(pthread_cond_t),
               "room for the system's");

static pthread_cond_t *condition_of(struct condition *condition)
{
    return (pthread_cond_t *)condition;
}

void condition_init(struct condition *out)
{
    pthread_condattr_t clock;
    *out = (struct condition){{0}};
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_cond_init(condition_of(out), &clock);
    (void)pthread_condattr_destroy(&clock);
}

void condition_end(struct condition *condition)
{
    (void)pthread_cond_destroy(condition_of(condition));
}

void condition_signal(struct condition *condition)
{
    (void)pthread_cond_signal(condition_of(condition));
}

void condition_wait(struct condition *condition, struct mutex *mutex)
{
    (void)pthread_cond_wait(condition_of(condition), (pthread_mutex_t *)mutex);
}

bool condition_wait_until(struct condition *condition, struct mutex *mutex, int64_t until)
{
    const struct timespec end = {.tv_sec = until / 1000, .tv_nsec = until % 1000 * 1000000};
    return pthread_cond_timedwait(condition_of(condition), (pthread_mutex_t *)mutex, &end) !=
           ETIMEDOUT;
}

#include "system/thread/thread.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

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

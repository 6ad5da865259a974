#include "profiler/thread.h"

#include <signal.h>

enum {
    STACK_LEN = 512 << 10 /* also holds the static thread-local data of all libraries */
};

/* A new thread inherits its creator's signal mask, so all signals are blocked meanwhile. */
bool thread_start(pthread_t *out, const char *name, void *(*run)(void *), void *argument)
{
    pthread_attr_t attributes;
    sigset_t all, old;
    (void)sigfillset(&all);
    if (pthread_attr_init(&attributes) != 0)
        return false;
    (void)pthread_attr_setstacksize(&attributes, STACK_LEN);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    bool started = pthread_create(out, &attributes, run, argument) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    (void)pthread_attr_destroy(&attributes);
    if (started)
        (void)pthread_setname_np(*out, name);
    return started;
}

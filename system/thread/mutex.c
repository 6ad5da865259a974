#include "system/thread/mutex.h"

#include <pthread.h>

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

/* mutex.h - lets one thread of this process at a time do something. Not recursive. One that is all
 * zeroes is ready; it needs no end if its memory only goes away.
 * Target: safe to call there on any thread: no allocations, libc only. */
#ifndef ILCOV_SYSTEM_THREAD_MUTEX_H
#define ILCOV_SYSTEM_THREAD_MUTEX_H

#include "base/base.h"

struct mutex {
    uint64_t state[6]; /* the system's */
};

/* Waits for who has it. */
void mutex_lock(struct mutex *mutex);
void mutex_unlock(struct mutex *mutex);

#endif

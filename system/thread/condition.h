/* condition.h - a thread waits until another one has changed what a mutex guards. It may also be
 * woken without a change, so it looks again. All hold the mutex.
 * Owner:  condition_end, when no thread waits.
 * Source: pthread_cond_timedwait(3).
 * Target: safe to call there on any thread: no allocations, libc only. */
#ifndef ILCOV_SYSTEM_THREAD_CONDITION_H
#define ILCOV_SYSTEM_THREAD_CONDITION_H

#include "system/thread/mutex.h"

struct condition {
    uint64_t state[6]; /* the system's */
};

void condition_init(struct condition *out);
void condition_end(struct condition *condition);

/* Wakes one thread that waits. */
void condition_signal(struct condition *condition);

void condition_wait(struct condition *condition, struct mutex *mutex);
/* At most until then, a time of clock_ms. False: it is that late. */
bool condition_wait_until(struct condition *condition, struct mutex *mutex, int64_t until);

#endif

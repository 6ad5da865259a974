#include "system/thread/condition.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

_Static_assert(sizeof(struct condition) >= sizeof(pthread_cond_t) &&
                   _Alignof(struct condition) >= _Alignof(pthread_cond_t),
               "room for the system's");

static pthread_cond_t *of(struct condition *condition)
{
    return (pthread_cond_t *)condition;
}

void condition_init(struct condition *out)
{
    pthread_condattr_t clock;
    *out = (struct condition){{0}};
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_cond_init(of(out), &clock);
    (void)pthread_condattr_destroy(&clock);
}

void condition_end(struct condition *condition)
{
    (void)pthread_cond_destroy(of(condition));
}

void condition_signal(struct condition *condition)
{
    (void)pthread_cond_signal(of(condition));
}

void condition_wait(struct condition *condition, struct mutex *mutex)
{
    (void)pthread_cond_wait(of(condition), (pthread_mutex_t *)mutex);
}

bool condition_wait_until(struct condition *condition, struct mutex *mutex, int64_t until)
{
    const struct timespec end = {.tv_sec = until / 1000, .tv_nsec = until % 1000 * 1000000};
    return pthread_cond_timedwait(of(condition), (pthread_mutex_t *)mutex, &end) != ETIMEDOUT;
}

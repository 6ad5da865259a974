/* clock.h - how long something takes: the monotonic clock. */
#ifndef ILCOV_SYSTEM_CLOCK_H
#define ILCOV_SYSTEM_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif

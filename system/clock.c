#include "system/clock.h"

#include <time.h>

static int64_t time_on_clock(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clock_ns(void)
{
    return time_on_clock(CLOCK_MONOTONIC);
}

int64_t clock_now_ns(void)
{
    return time_on_clock(CLOCK_REALTIME);
}

int64_t clock_ms(void)
{
    return clock_ns() / 1000000;
}

void clock_rest(uint32_t ms)
{
    const struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    (void)nanosleep(&pause, NULL);
}

void clock_rest_us(uint32_t us)
{
    const struct timespec pause = {.tv_sec = us / 1000000, .tv_nsec = (long)(us % 1000000) * 1000};
    (void)nanosleep(&pause, NULL);
}

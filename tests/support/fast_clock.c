/* fast_clock.c - preloaded into a program, its monotonic clock is 300 ms further each time that it
 * is asked: what appears after a second appears at once. */
#include <time.h>

__attribute__((visibility("default"))) int clock_gettime(clockid_t id, struct timespec *out);

int clock_gettime(clockid_t id, struct timespec *out)
{
    static long asked;
    if (id != CLOCK_MONOTONIC)
        return timespec_get(out, TIME_UTC) == TIME_UTC ? 0 : -1;
    asked++;
    out->tv_sec = asked * 3 / 10;
    out->tv_nsec = asked * 3 % 10 * 100000000;
    return 0;
}

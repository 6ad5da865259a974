/* clock.h - how long something takes: the monotonic clock; and when it was.
 * Target: safe to call there on any thread. */
#pragma once

#include <stdint.h>

/* Milliseconds since some moment in the past. */
int64_t clock_ms(void);

/* The same in nanoseconds. */
int64_t clock_ns(void);

/* Nanoseconds since 1970, as files have it. */
int64_t clock_now_ns(void);

/* The calling thread does nothing for that long, or until a signal is handled. */
void clock_rest(uint32_t ms);
/* The same, in microseconds. */
void clock_rest_us(uint32_t us);

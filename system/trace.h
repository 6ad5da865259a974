/* trace.h - ILCOV_TRACE=FILE: what the library and the program decide and how long it takes, for
 * bug reports. A line an event, "<ms> <pid> <event>", is appended to FILE; "1" is standard error.
 * What cannot be written is lost.
 * Target: safe to call there on any thread. No descriptor is kept, as the target may close it. */
#pragma once

#include "base/base.h"

#define TRACE_ENV "ILCOV_TRACE"

bool trace_is_on(void);
/* Nothing if it is off. At most TRACE_EVENT_MAX bytes of the event are written. */
enum {
    TRACE_EVENT_MAX = 1000
};
void trace(const char *format, ...) PRINTF_LIKE(1, 2);

/* What a step took, from a time of clock_ns on. */
void trace_since(int64_t start, const char *format, ...) PRINTF_LIKE(2, 3);

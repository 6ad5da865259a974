#include "system/trace.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/clock.h"
#include "system/file.h"

enum {
    FILE_ROOM = 1024, /* for the name of the file; of a longer one nothing is written */
    LINE_ROOM = TRACE_EVENT_MAX + 64
};

/* Read once, by the first call, which comes before there are other threads of ours: a target may
 * change its environment while it runs, and getenv is not safe beside that. */
static const char *trace_file(void)
{
    static char name[FILE_ROOM];
    static atomic_bool is_read;
    if (!atomic_load_explicit(&is_read, memory_order_acquire)) {
        const char *given = getenv(TRACE_ENV);
        if (given != NULL && strcmp(given, "0") != 0 && strlen(given) < sizeof name)
            memcpy(name, given, strlen(given) + 1);
        atomic_store_explicit(&is_read, true, memory_order_release);
    }
    return name[0] != '\0' ? name : NULL;
}

bool trace_is_on(void)
{
    return trace_file() != NULL;
}

/* One write, so that lines of several threads and processes do not mix. */
static void append_line(const char *file, const char *line, size_t len)
{
    struct view part = {(const uint8_t *)line, len};
    bool to_stderr = strcmp(file, "1") == 0;
    int fd = to_stderr ? STDERR_FILENO : file_open(file, FILE_APPEND | FILE_MAKE);
    (void)!file_append_parts(fd, &part, 1);
    if (!to_stderr)
        (void)file_close(fd);
}

PRINTF_LIKE(2, 0)
static void trace_event(int64_t ns, const char *format, va_list args)
{
    char line[LINE_ROOM];
    const char *file = trace_file();
    if (file == NULL)
        return;
    long long us = clock_ns() / 1000;
    int start = snprintf(line, sizeof line, "%lld.%03lld %d ", us / 1000, us % 1000, (int)getpid());
    int len = vsnprintf(line + start, TRACE_EVENT_MAX, format, args);
    if (len < 0)
        return;
    size_t end = (size_t)start + (len < TRACE_EVENT_MAX ? (size_t)len : TRACE_EVENT_MAX - 1);
    if (ns >= 0)
        end += (size_t)snprintf(line + end, sizeof line - end, ": %.3f ms", (double)ns / 1e6);
    line[end++] = '\n';
    append_line(file, line, end);
}

void trace(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    trace_event(-1, format, args);
    va_end(args);
}

void trace_since(int64_t start, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    trace_event(clock_ns() - start, format, args);
    va_end(args);
}

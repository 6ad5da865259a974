#include "system/file/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "system/file/file_status.h"
#include "system/file/file_write.h"
#include "system/file/open_file.h"

enum {
    LINE_ROOM = TRACE_EVENT_MAX + 64
};

static const char *trace_file(void)
{
    const char *name = getenv(TRACE_ENV);
    return name != NULL && *name != '\0' && strcmp(name, "0") != 0 ? name : NULL;
}

bool trace_is_on(void)
{
    return trace_file() != NULL;
}

int64_t trace_now(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* One write, so that lines of several threads and processes do not mix. */
static void append_line(const char *file, const char *line, size_t len)
{
    struct view part = {(const uint8_t *)line, len};
    bool to_stderr = strcmp(file, "1") == 0;
    int fd = to_stderr ? STDERR_FILENO : file_open(file, FILE_APPEND | FILE_MAKE);
    struct file_status status;
    if (fd >= 0 && file_status_open(&status, fd) && file_length_allowed(status.size + len))
        (void)!file_write_parts(fd, &part, 1);
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
    int start = snprintf(line, sizeof line, "%lld.%03lld %d ", (long long)(trace_now() / 1000000),
                         (long long)(trace_now() / 1000 % 1000), (int)getpid());
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
    trace_event(trace_now() - start, format, args);
    va_end(args);
}

#include "profiler/record.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "profiler/counters.h"

enum {
    LINE_MAX_LEN = 8192,
    FIELDS_ROOM = 16 /* kept free for the tabs of later fields and the end of the line */
};

/* Field 22 of /proc/self/stat: with the pid it names a process for good. The command in field 2 may
 * hold anything, so fields are counted from its last parenthesis. */
static unsigned long long start_ticks(void)
{
    char stat[1024];
    int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    ssize_t len = fd >= 0 ? read(fd, stat, sizeof stat - 1) : -1;
    if (fd >= 0)
        (void)close(fd);
    if (len <= 0)
        return 0;
    stat[len] = '\0';
    unsigned long long ticks = 0;
    const char *behind_name = strrchr(stat, ')');
    if (behind_name == NULL ||
        sscanf(behind_name + 1,
               " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
               "%*s %*s %*s %llu",
               &ticks) != 1)
        return 0;
    return ticks;
}

void record_open(struct record *out, const char *session_dir)
{
    char path[4096];
    int len = snprintf(path, sizeof path, "%s/" SESSION_PROCESS "%ld-%llu", session_dir,
                       (long)getpid(), start_ticks());
    out->fd = len > 0 && (size_t)len < sizeof path
                  ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)
                  : -1;
    struct str version = STR(ILCOV_VERSION);
    record_line(out, "ilcov-process", &version, 1);
}

/* The field behind what the line has; whole, or not at all, so that none is cut in a character. */
static size_t put_escaped(char *line, size_t len, struct str field)
{
    size_t start = len;
    for (size_t i = 0; i < field.len; i++) {
        char c = field.text[i];
        const char *escape = c == '\t' ? "\\t" : c == '\n' ? "\\n" : c == '\\' ? "\\\\" : NULL;
        if (len + FIELDS_ROOM >= LINE_MAX_LEN)
            return start;
        if (escape != NULL) {
            line[len++] = escape[0];
            c = escape[1];
        }
        line[len++] = c;
    }
    return len;
}

void record_line(const struct record *record, const char *keyword, const struct str *fields,
                 size_t count)
{
    char line[LINE_MAX_LEN];
    if (record->fd < 0)
        return;
    size_t len = put_escaped(line, 0, str_of(keyword));
    for (size_t i = 0; i < count; i++) {
        line[len++] = '\t';
        len = put_escaped(line, len, fields[i]);
    }
    line[len++] = '\n';
    ssize_t written = write(record->fd, line, len);
    (void)written;
}

void record_trouble(const struct record *record, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (len < 0)
        return;
    struct str field = {text, (size_t)len < sizeof text ? (size_t)len : sizeof text - 1};
    record_line(record, "trouble", &field, 1);
}

void record_close(struct record *record)
{
    if (record->fd >= 0)
        (void)close(record->fd);
    record->fd = -1;
}

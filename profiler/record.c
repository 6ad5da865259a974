#include "profiler/record.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
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

void record_open(struct record *out, const struct folder *folder)
{
    out->folder = folder;
    (void)snprintf(out->name, sizeof out->name, SESSION_PROCESS "%ld-%llu", (long)getpid(),
                   start_ticks());
    kept_open(&out->file, folder_file(folder, out->name, O_WRONLY | O_APPEND | O_CREAT));
    struct str version = STR(ILCOV_VERSION);
    record_line(out, "ilcov-process", &version, 1);
}

/* One write, which the kernel appends as a whole. False when nothing, or not all, was written. */
static bool append(const struct folder *folder, const struct kept *file, const char *name,
                   const char *line, size_t len, bool *in_part)
{
    struct stat st;
    int kept = kept_fd(file), fd = kept;
    if (fd < 0)
        fd = folder_file(folder, name, O_WRONLY | O_APPEND);
    ssize_t written = -1;
    if (fd >= 0 && fstat(fd, &st) == 0 && folder_allows((uint64_t)st.st_size + len))
        written = write(fd, line, len);
    if (fd >= 0 && fd != kept)
        (void)close(fd);
    *in_part = written > 0 && (size_t)written < len;
    return written == (ssize_t)len;
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

/* The fields behind the keyword, and the end of the line. */
static size_t make_line(char *line, const char *keyword, const struct str *fields, size_t count)
{
    size_t len = put_escaped(line, 0, str_of(keyword));
    for (size_t i = 0; i < count; i++) {
        line[len++] = '\t';
        len = put_escaped(line, len, fields[i]);
    }
    line[len++] = '\n';
    return len;
}

static bool try_line(struct record *record, const char *line, size_t len)
{
    bool in_part = false;
    if (record->name[0] == '\0' || atomic_load_explicit(&record->is_broken, memory_order_relaxed))
        return false;
    bool done = append(record->folder, &record->file, record->name, line, len, &in_part);
    if (in_part)
        atomic_store_explicit(&record->is_broken, true, memory_order_relaxed);
    return done;
}

void record_line(struct record *record, const char *keyword, const struct str *fields, size_t count)
{
    char line[LINE_MAX_LEN];
    (void)try_line(record, line, make_line(line, keyword, fields, count));
}

void record_trouble(struct record *record, const char *format, ...)
{
    static const struct kept none = {.fd = -1};
    char text[512], line[LINE_MAX_LEN];
    bool in_part = false;
    va_list args;
    va_start(args, format);
    int len = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (len < 0)
        return;
    struct str field = {text, (size_t)len < sizeof text ? (size_t)len : sizeof text - 1};
    size_t line_len = make_line(line, "trouble", &field, 1);
    if (!try_line(record, line, line_len) && record->folder != NULL)
        (void)append(record->folder, &none, SESSION_TROUBLES, line, line_len, &in_part);
}

void record_close(struct record *record)
{
    kept_close(&record->file);
    record->name[0] = '\0';
}

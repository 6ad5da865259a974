#include "profiler/session/record.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/version.h"
#include "contract/session_format.h"
#include "system/file.h"
#include "system/process.h"
#include "system/process_status.h"
#include "system/trace.h"
#include "system/user.h"

enum {
    LINE_MAX_LEN = 8192,
    FIELDS_ROOM = 16 /* kept free for the tabs of later fields and the end of the line */
};

void record_open(struct record *out, const struct folder *folder)
{
    out->folder = folder;
    out->user = user_self();
    struct process_stat self;
    (void)!process_stat_read(&self, PROCESS_SELF); /* start_ticks is 0 without /proc */
    (void)snprintf(out->name, sizeof out->name, SESSION_PROCESS "%d-%llu", process_self(),
                   self.start_ticks);
    kept_open(&out->file, folder_file(folder, out->name, FILE_APPEND | FILE_MAKE));
    struct str version = str_of(ilcov_version);
    record_line(out, "ilcov-process", &version, 1);
}

void record_parent(struct record *record)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%d", process_self_parent());
    struct str pid = str_of(digits);
    record_line(record, "parent", &pid, 1);
}

/* A line to write, which points to texts elsewhere: it is on the stack of a target's thread, of
 * which the library may use only little. */
struct record_parts {
    struct view parts[FILE_PARTS_MAX];
    uint32_t part_count;
    size_t len;
};

static void put_part(struct record_parts *line, const char *text, size_t len)
{
    if (len == 0)
        return;
    line->parts[line->part_count++] = (struct view){(const uint8_t *)text, len};
    line->len += len;
}

/* Adds the whole field or nothing, so that no character is cut. */
static void put_record_field(struct record_parts *line, struct str field)
{
    uint32_t part_count = line->part_count;
    size_t len = line->len, run = 0;
    for (size_t i = 0; i < field.len; i += run) {
        struct str first = text_escape(&field.text[i]);
        run = 1;
        while (first.len == 1 && i + run < field.len && text_escape(&field.text[i + run]).len == 1)
            run++;
        if (line->len + run + FIELDS_ROOM >= LINE_MAX_LEN ||
            line->part_count + FIELDS_ROOM >= FILE_PARTS_MAX) {
            line->part_count = part_count;
            line->len = len;
            return;
        }
        put_part(line, first.text, first.len == 1 ? run : first.len);
    }
}

/* The keyword, the fields and the end of the line. */
static void make_record_line(struct record_parts *line, const char *keyword,
                             const struct str *fields, size_t count)
{
    line->part_count = 0;
    line->len = 0;
    put_record_field(line, str_of(keyword));
    for (size_t i = 0; i < count; i++) {
        put_part(line, "\t", 1);
        put_record_field(line, fields[i]);
    }
    put_part(line, "\n", 1);
}

static void trace_line(const struct record_parts *line)
{
    char text[TRACE_EVENT_MAX];
    size_t len = 0;
    for (uint32_t i = 0; i < line->part_count && len < sizeof text; i++) {
        size_t room = sizeof text - len, part = line->parts[i].len;
        memcpy(text + len, line->parts[i].data, part < room ? part : room);
        len += part < room ? part : room;
    }
    if (len != 0)
        trace("record %.*s", (int)len - 1, text); /* without the end of the line */
}

static bool try_line(struct record *record, const struct record_parts *line)
{
    if (trace_is_on())
        trace_line(line);
    if (record->name[0] == '\0' || atomic_load_explicit(&record->is_broken, memory_order_relaxed))
        return false;
    int64_t written =
        folder_append(record->folder, &record->file, record->name, line->parts, line->part_count);
    if (written > 0 && (size_t)written < line->len)
        atomic_store_explicit(&record->is_broken, true, memory_order_relaxed);
    return written == (int64_t)line->len;
}

void record_line(struct record *record, const char *keyword, const struct str *fields, size_t count)
{
    struct record_parts line;
    make_record_line(&line, keyword, fields, count);
    (void)try_line(record, &line);
}

void record_reason(struct record *record, const char *keyword, const struct str *fields,
                   size_t count, enum reason_code reason, struct str subject)
{
    struct str all[RECORD_FIELDS_BEFORE + 2];
    char number[16];
    size_t before = count < RECORD_FIELDS_BEFORE ? count : RECORD_FIELDS_BEFORE;
    for (size_t i = 0; i < before; i++)
        all[i] = fields[i];
    (void)snprintf(number, sizeof number, "%u", (unsigned)reason);
    all[before] = str_of(number);
    all[before + 1] = subject;
    record_line(record, keyword, all, before + 2);
}

static void write_to_warnings(const struct record *record, const struct record_parts *line)
{
    int fd = record->folder != NULL ? folder_warnings(record->folder) : -1;
    (void)!file_append_parts(fd, line->parts, line->part_count);
    (void)file_close(fd);
}

void record_warning(struct record *record, const char *format, ...)
{
    char text[512];
    struct record_parts line;
    va_list args;
    va_start(args, format);
    int len = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (len < 0)
        return;
    struct str field = {text, (size_t)len < sizeof text ? (size_t)len : sizeof text - 1};
    make_record_line(&line, "trouble", &field, 1);
    if (!try_line(record, &line))
        write_to_warnings(record, &line);
}

void record_watch_user(struct record *record)
{
    uint32_t user = user_self();
    if (user == record->user ||
        atomic_exchange_explicit(&record->is_change_reported, true, memory_order_relaxed))
        return;
    record_warning(
        record,
        "process %d (%s) runs as user %u, no longer as user %u: what it loads or starts as "
        "that user is not measured",
        process_self(), process_self_name(), user, record->user);
}

void record_time(struct record *record, const char *keyword)
{
    char seconds[24];
    (void)snprintf(seconds, sizeof seconds, "%lld", (long long)time(NULL));
    struct str field = str_of(seconds);
    record_line(record, keyword, &field, 1);
}

void record_close(struct record *record)
{
    kept_close(&record->file);
    record->name[0] = '\0';
}

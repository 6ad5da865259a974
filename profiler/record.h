/* record.h - the process record: what the library tells of its process in the session directory
 * (format: counters.h). Each line is one write(2) on an O_APPEND descriptor: callers on many
 * threads need no lock. A line that can't be written is lost, and nothing else: the record
 * explains, it does not count. But a trouble that finds no room there goes to the file of troubles,
 * where the program has kept some. */
#ifndef ILCOV_PROFILER_RECORD_H
#define ILCOV_PROFILER_RECORD_H

#include <stdatomic.h>

#include "base/text.h"
#include "contract/reason.h"
#include "profiler/folder.h"

struct record {
    const struct folder *folder;
    struct kept file; /* not there when it could not be made */
    char name[64];
    /* A line was written in part, so nothing may follow it. Set by any thread, never cleared;
     * relaxed: a line that comes too late is taken for part of the broken one. */
    _Atomic bool is_broken;
    uid_t user; /* who opened it */
    /* That this process's user is another by now was told. Set by any thread; relaxed: it guards
     * nothing. */
    _Atomic bool is_change_told;
};

void record_open(struct record *out, const struct folder *folder);
/* Fields are escaped; `count` of them behind the keyword. */
void record_line(struct record *record, const char *keyword, const struct str *fields,
                 size_t count);
/* The same with a reason behind them, as counters.h has it; at most RECORD_FIELDS_BEFORE come
 * first. */
enum {
    RECORD_FIELDS_BEFORE = 2
};
void record_reason(struct record *record, const char *keyword, const struct str *fields,
                   size_t count, enum reason_code reason, struct str subject);
void record_trouble(struct record *record, const char *format, ...) PRINTF_LIKE(2, 3);
/* Tells once when the process runs as another user than at its start: it can't reach the session
 * then, and what it starts can't even say so. */
void record_watch_user(struct record *record);
void record_close(struct record *record);

#endif

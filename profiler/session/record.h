/* record.h - the process record: what the library reports about its process in the session
 * directory (format: session_format.h). Each line is one write(2) on an O_APPEND descriptor, so
 * callers on many threads need no lock. If a line can't be written, only that line is lost: the
 * record explains, it does not count. A trouble that has no room there goes to the file of
 * troubles, in which the program has reserved some. */
#pragma once

#include <stdatomic.h>

#include "base/text.h"
#include "contract/reason.h"
#include "profiler/session/session_folder.h"

struct record {
    const struct folder *folder;
    struct kept file; /* not there when it could not be made */
    char name[64];
    /* A line was written in part, so nothing may follow it. Set by any thread, never cleared;
     * relaxed: a line that comes too late is taken for part of the broken one. */
    _Atomic bool is_broken;
    uint32_t user; /* who opened it */
    /* The change of this process's user has been reported. Set by any thread; relaxed: it guards
     * nothing. */
    _Atomic bool is_change_reported;
};

void record_open(struct record *out, const struct folder *folder);
/* Fields are escaped; `count` of them follow the keyword. */
void record_line(struct record *record, const char *keyword, const struct str *fields,
                 size_t count);
/* The same, followed by a reason as in session_format.h; at most RECORD_FIELDS_BEFORE fields come
 * first. */
enum {
    RECORD_FIELDS_BEFORE = 2
};
void record_reason(struct record *record, const char *keyword, const struct str *fields,
                   size_t count, enum reason_code reason, struct str subject);
void record_warning(struct record *record, const char *format, ...) PRINTF_LIKE(2, 3);
/* Which process started this one. */
void record_parent(struct record *record);
/* Reports, once, that the process no longer runs as the user that started it: it then can't use
 * the session, and processes that it starts can't even report that. */
void record_watch_user(struct record *record);
/* The keyword with the seconds since 1970. */
void record_time(struct record *record, const char *keyword);
void record_close(struct record *record);

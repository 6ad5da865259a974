/* record.h - the process record: what the library tells of its process in the session directory
 * (format: counters.h). Each line is one write(2) on an O_APPEND descriptor: callers on many
 * threads need no lock. A line that can't be written is lost, and nothing else: the record
 * explains, it does not count. */
#ifndef ILCOV_PROFILER_RECORD_H
#define ILCOV_PROFILER_RECORD_H

#include "base/text.h"

struct record {
    int fd; /* -1: could not be made */
};

void record_open(struct record *out, const char *session_dir);
/* Fields are escaped; `count` of them behind the keyword. */
void record_line(const struct record *record, const char *keyword, const struct str *fields,
                 size_t count);
void record_trouble(const struct record *record, const char *format, ...) PRINTF_LIKE(2, 3);
void record_close(struct record *record);

#endif

/* report_read.h - the lines of a report, a few files at a time: what all of them would need is
 * never in memory at once. report_build.h says by which rules they are made. */
#pragma once

#include "coverage/report/report_files.h"

/* Calls `take` for files of the report, in the order of the list, with the lines of their classes:
 * for one at a time, or for all of one path that follow each other. The lines are gone when it
 * returns. False also if `take` returns that, which ends it. */
NODISCARD bool
report_read(const struct report *report, const struct report_file *files, uint32_t file_count,
            bool (*take)(void *context, const struct report_file *files, uint32_t count),
            void *context, struct err *err);

/* report_visit.h - the lines of a report, a few files at a time: what all of them would need is
 * never in memory at once. report_build.h says by which rules they are made. */
#ifndef ILCOV_COVERAGE_REPORT_REPORT_VISIT_H
#define ILCOV_COVERAGE_REPORT_REPORT_VISIT_H

#include "coverage/report/report_files.h"

/* Calls `take` for some files at a time, by package and path, with one package for each view: its
 * classes and totals are those of these files, and the same class, method, line and condition has
 * the same index in all of them. A package without lines is taken once. It does not name its
 * modules. What is passed is gone when `take` returns, but for names, which are views into the
 * facts. False, with `err` set, also if `take` fails. */
NODISCARD bool report_visit(const struct report_view *views, uint32_t view_count,
                            const struct report_options *options,
                            bool (*take)(void *context, const struct report_package *packages),
                            void *context, struct arena *arena, struct err *err);

/* Calls `take` for files of the report, in the order of the list, with the lines of their classes:
 * for one at a time, or for all of one path that follow each other. The lines are gone when it
 * returns. False also if `take` returns that, which ends it. */
NODISCARD bool
report_read(const struct report *report, const struct report_file *files, uint32_t file_count,
            bool (*take)(void *context, const struct report_file *files, uint32_t count),
            void *context, struct err *err);

#endif

/* excluded_lines.h - how many lines are missing from a report because the user excluded them, and
 * why: by attribute, comment or option. A line that another statement brings into the report is not
 * counted, nor are files outside the source root and assemblies that were not selected (-i).
 * Owner: reasons are views into the facts; the list lives in the arena. */
#ifndef ILCOV_COVERAGE_REPORT_EXCLUDED_LINES_H
#define ILCOV_COVERAGE_REPORT_EXCLUDED_LINES_H

#include "coverage/report/report.h"

/* Fills in the exclusions of a report that has its packages. */
NODISCARD bool excluded_lines_find(struct report *report, const struct facts *facts,
                                   const struct report_options *options, struct arena *arena,
                                   struct err *err);

#endif

/* excluded_lines.h - how many lines a report lacks because somebody excluded them, and why: by
 * attribute, comment or option. A line that another statement brings into the report is not
 * counted, nor is what lies outside the source root or was never asked for (-i).
 * Owner: reasons are those of the facts; the list lives in the arena. */
#ifndef ILCOV_COVERAGE_REPORT_EXCLUDED_LINES_H
#define ILCOV_COVERAGE_REPORT_EXCLUDED_LINES_H

#include "coverage/report/report.h"

/* Fills in the exclusions of a report whose packages are made. */
NODISCARD bool excluded_lines_find(struct report *report, const struct facts *facts,
                                   const struct report_options *options, struct arena *arena,
                                   struct err *err);

#endif

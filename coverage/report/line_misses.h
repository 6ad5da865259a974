/* line_misses.h - what of a line did not happen. */
#ifndef ILCOV_COVERAGE_REPORT_LINE_MISSES_H
#define ILCOV_COVERAGE_REPORT_LINE_MISSES_H

#include "coverage/report/report.h"

/* Has the line something that did not happen? */
bool report_line_misses(const struct report_line *line);

/* Is there something to say of a condition of the line? Not where the line, or the statement that
 * holds the condition, did not run. */
bool report_condition_lacks(const struct report_line *line,
                            const struct report_condition *condition);

/* The first line that has; 0 if there is none. */
uint32_t report_first_miss(const struct report_lines *lines);

#endif

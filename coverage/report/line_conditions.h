/* line_conditions.h - the decisions of a module become conditions of its lines, in order of IL
 * offset. */
#ifndef ILCOV_COVERAGE_REPORT_LINE_CONDITIONS_H
#define ILCOV_COVERAGE_REPORT_LINE_CONDITIONS_H

#include "coverage/report/lines_work.h"

/* Adds to each entry the conditions of its line and owner. `sums`: per first copy of a statement,
 * the count of all copies. */
NODISCARD bool line_conditions_attach(struct line_entry *entries, size_t entry_count,
                                      const struct lines_module *m, const uint64_t *sums,
                                      const struct lines_work *work);

#endif

/* case_starts.h - of a switch that missed something: the statements among which its arms begin.
 * missed_cases.h finds the arms among them by the text.
 * Owner:  the list lives in the arena. */
#ifndef ILCOV_COVERAGE_REPORT_CASE_STARTS_H
#define ILCOV_COVERAGE_REPORT_CASE_STARTS_H

#include "coverage/report/copies.h"
#include "coverage/report/report.h"

/* Fills in `starts` of the condition that the decision became. `sums`: per first copy of a
 * statement, the count of all copies. */
NODISCARD bool case_starts_list(struct report_condition *condition,
                                const struct fact_module *module,
                                const struct fact_decision *decision, const struct copies *copies,
                                const uint64_t *sums, struct arena *arena, struct err *err);

#endif

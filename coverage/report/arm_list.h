/* arm_list.h - of a switch that missed something: what its outcomes are called. Of the arms to
 * which other decisions lead as well, only those that were taken are still ARM_SHARED.
 * Owner:  the list lives in the arena, or is that of the decision. */
#ifndef ILCOV_COVERAGE_REPORT_ARM_LIST_H
#define ILCOV_COVERAGE_REPORT_ARM_LIST_H

#include "coverage/report/copies.h"
#include "coverage/report/report.h"

/* Fills in `arms` of the condition that the decision became. `sums`: per first copy of a statement,
 * the count of all copies. */
NODISCARD bool arm_list_make(struct report_condition *condition, const struct fact_module *module,
                             const struct fact_decision *decision, const struct copies *copies,
                             const uint64_t *sums, struct arena *arena, struct err *err);

#endif

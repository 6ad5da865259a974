/* omissions.h - what a report leaves out, and why: modules and single methods. They are noted while
 * it is built; at the end each is in it once, in order.
 * Owner:  texts live in the arena of the building. */
#ifndef ILCOV_COVERAGE_REPORT_OMISSIONS_H
#define ILCOV_COVERAGE_REPORT_OMISSIONS_H

#include "coverage/report/building.h"

/* The first module that was measured and is left out becomes `first_empty`. */
NODISCARD bool omissions_add_module(struct building *b, const struct fact_module *module,
                                    const struct reason *reason);
NODISCARD bool omissions_add_method(struct building *b, const struct fact_module *module,
                                    const struct fact_method *method, const struct reason *reason);

/* The reason for what an option of the user excludes. */
NODISCARD bool omissions_excluded_by(const struct reason **reason, const struct pattern *pattern,
                                     struct building *b);

/* Two builds of one assembly leave out the same method: report it once. Returns how many are
 * left. */
uint32_t omissions_sort(struct report_omission *omissions, uint32_t count);

#endif

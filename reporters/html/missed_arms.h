/* missed_arms.h - the arms of a switch that were missed, named by the text of their source.
 * Owner:  what is found lives in the arena. */
#ifndef ILCOV_REPORTERS_HTML_MISSED_ARMS_H
#define ILCOV_REPORTERS_HTML_MISSED_ARMS_H

#include "coverage/report/missed_cases.h"
#include "coverage/report/report_files.h"
#include "reporters/sources.h"

/* missed_cases_find, with the text of the file that the condition is in. */
NODISCARD bool missed_arms_find(struct missed_cases *out, const struct report_condition *condition,
                                const struct report_file *file, const struct sources *sources,
                                struct arena *arena, struct err *err);

#endif

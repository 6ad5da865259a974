/* report_formats.h - what --format of `run`, `collect` and `report` offers: the formats of reports.
 * Each has a file of its own. */
#ifndef ILCOV_REPORTERS_REPORT_REPORT_FORMATS_H
#define ILCOV_REPORTERS_REPORT_REPORT_FORMATS_H

#include "reporters/format.h"

/* In the order of the help; ends with a NULL name. */
extern const struct format report_formats[];

bool cobertura_write(const struct format_job *job, struct err *err);
bool json_write(const struct format_job *job, struct err *err);
bool table_write(const struct format_job *job, struct err *err);

#endif

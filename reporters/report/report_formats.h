/* report_formats.h - the report formats that --format of `run`, `collect` and `report` offers. Each
 * has a file of its own, and HTML a room. */
#ifndef ILCOV_REPORTERS_REPORT_REPORT_FORMATS_H
#define ILCOV_REPORTERS_REPORT_REPORT_FORMATS_H

#include "reporters/format.h"

/* In the order of --help; ends with a NULL name. */
extern const struct format report_formats[];

bool badge_write(const struct format_job *job, struct err *err);
bool cobertura_write(const struct format_job *job, struct err *err);
bool cobertura_write_parts(const struct format_job *job, const char *path, struct err *err);
bool json_write(const struct format_job *job, struct err *err);
bool jsonl_write(const struct format_job *job, struct err *err);
bool lcov_write(const struct format_job *job, struct err *err);
bool opencover_write(const struct format_job *job, struct err *err);
bool files_write(const struct format_job *job, struct err *err);
bool markdown_write(const struct format_job *job, struct err *err);
bool missed_write(const struct format_job *job, struct err *err);
bool sonar_write(const struct format_job *job, struct err *err);
bool teamcity_write(const struct format_job *job, struct err *err);
bool table_write(const struct format_job *job, struct err *err);

/* Of a writer that goes through all classes. */
struct progress_count report_progress(const struct format_job *job, const char *what);

#endif

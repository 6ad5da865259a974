/* report_formats.h - the report formats that --format of `run`, `collect` and `report` offers. Each
 * has a file of its own, and HTML a room. */
#pragma once

#include "reporters/format.h"

/* In the order of --help; ends with a NULL name. */
extern const struct format report_formats[];

/* A format of lines (format.h). */
#define FORMAT_OF_LINES(name)                                                                      \
    void *name##_open(const struct format_job *job, struct err *err);                              \
    bool name##_take(void *writer, const struct report_file *files, uint32_t count,                \
                     struct err *err);                                                             \
    bool name##_close(void *writer, struct err *err)

FORMAT_OF_LINES(cobertura);
FORMAT_OF_LINES(json);
FORMAT_OF_LINES(jsonl);
FORMAT_OF_LINES(lcov);
FORMAT_OF_LINES(markdown);
FORMAT_OF_LINES(missed);
FORMAT_OF_LINES(opencover);
FORMAT_OF_LINES(sonar);

bool badge_write(const struct format_job *job, struct err *err);
bool cobertura_write_parts(const struct format_job *job, const char *path, struct err *err);
void cobertura_tidy(const char *path);
bool files_write(const struct format_job *job, struct err *err);
bool table_write(const struct format_job *job, struct err *err);
bool teamcity_write(const struct format_job *job, struct err *err);

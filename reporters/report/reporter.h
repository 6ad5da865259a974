/* reporter.h - the one interface of all report writers: a report in, a file out.
 * A writer prints what it is given, in the order it is given; whatever is to be counted was counted
 * in coverage/report. Output is the same bytes for the same report: no clock, no locale.
 * Errors: ERR_IO when the file can't be written; then neither it nor a temporary file is left. */
#ifndef ILCOV_REPORTERS_REPORT_REPORTER_H
#define ILCOV_REPORTERS_REPORT_REPORTER_H

#include "coverage/report/report.h"
#include "reporters/destination.h"

struct reporter {
    const char *name;         /* as in --format */
    const char *default_file; /* NULL: standard error */
    const char *summary;      /* a line of help */
    bool (*write)(FILE *file, const struct report *report, bool colour, struct err *err);
};

/* All writers, in the order of the help; ends with a NULL name. */
extern const struct reporter reporters[];
const struct reporter *reporter_find(struct str name);

/* NULL is standard error, REPORTER_STDOUT standard output (destination.h). */
#define REPORTER_STDOUT DESTINATION_STDOUT
NODISCARD bool reporter_write(const struct reporter *reporter, const char *path,
                              const struct report *report, struct err *err);

/* The writers. One that returns true may still have failed to write: ferror(file) knows. */
bool cobertura_write(FILE *file, const struct report *report, bool colour, struct err *err);
bool json_write(FILE *file, const struct report *report, bool colour, struct err *err);
bool text_report_write(FILE *file, const struct report *report, bool colour, struct err *err);

#endif

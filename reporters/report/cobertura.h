/* cobertura.h - a Cobertura document, for the writer that puts several next to each other
 * (cobertura_parts.c).
 * Units:  bytes. */
#ifndef ILCOV_REPORTERS_REPORT_COBERTURA_H
#define ILCOV_REPORTERS_REPORT_COBERTURA_H

#include <stdio.h>

#include "base/progress.h"
#include "coverage/report/report.h"

/* What each element takes. Packages without classes, which are not written, have no place in it. */
struct cobertura_sizes {
    uint64_t whole;     /* the document */
    uint64_t *packages; /* each without its classes */
    uint32_t package_count;
    uint64_t *classes; /* of all packages */
    uint32_t class_count;
};

/* `part`: the comment at its start, which says which part of a split report this is; empty for a
 * whole one. Returns the size. The FILE remembers what could not be written. */
uint64_t cobertura_write_report(FILE *file, const struct report *report, struct str part,
                                struct progress_count *classes);

NODISCARD bool cobertura_measure(struct cobertura_sizes *out, const struct report *report,
                                 struct progress_count *classes, struct arena *arena,
                                 struct err *err);

#endif

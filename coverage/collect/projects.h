/* projects.h - projects of a solution that nothing loaded: their lines count as not hit. */
#ifndef ILCOV_COVERAGE_COLLECT_PROJECTS_H
#define ILCOV_COVERAGE_COLLECT_PROJECTS_H

#include "coverage/collect/collector.h"

/* Call once all that ran, and what lies beside it, is listed. Projects that were not built, are not
 * there, or are of another language have a line that names them. */
NODISCARD bool projects_collect(struct collector *c, const struct solution *solution,
                                struct err *err);

#endif

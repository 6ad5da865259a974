/* unloaded.h - modules that were never loaded, next to those that ran or of a solution: their lines
 * count as not hit. */
#ifndef ILCOV_COVERAGE_COLLECT_UNLOADED_H
#define ILCOV_COVERAGE_COLLECT_UNLOADED_H

#include "coverage/collect/collector.h"

/* Adds those of one directory that are in scope. A module that was measured elsewhere or is already
 * listed is not added again: modules that ran come first. */
NODISCARD bool unloaded_collect(struct collector *c, struct str dir, struct err *err);

/* Adds the assemblies of a solution's projects that are in scope and not even listed. Call once all
 * that ran, and what lies beside it, is listed. Projects that were not built, are not there, or are
 * of another language have a line that names them. */
NODISCARD bool unloaded_collect_projects(struct collector *c, const struct solution *solution,
                                         struct err *err);

#endif

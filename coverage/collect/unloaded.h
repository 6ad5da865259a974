/* unloaded.h - modules next to those that ran that were never loaded: their lines count as not
 * hit. */
#ifndef ILCOV_COVERAGE_COLLECT_UNLOADED_H
#define ILCOV_COVERAGE_COLLECT_UNLOADED_H

#include "coverage/collect/collector.h"

/* Adds those of one directory that are in scope. A module that was measured elsewhere or is already
 * listed is not added again: modules that ran come first. */
NODISCARD bool unloaded_collect(struct collector *c, struct str dir, struct err *err);

/* Adds the assembly of a project, if it is in scope and not even listed; `assembly` has a NUL after
 * it. */
NODISCARD bool unloaded_collect_project(struct collector *c, struct str assembly, struct err *err);

#endif

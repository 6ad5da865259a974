/* unloaded.h - modules that lie beside those that ran, and never did: their lines count as not
 * hit. */
#ifndef ILCOV_COVERAGE_COLLECT_UNLOADED_H
#define ILCOV_COVERAGE_COLLECT_UNLOADED_H

#include "coverage/collect/collector.h"

/* Adds those of one directory that are in scope. One that was measured elsewhere, or that is
 * listed already, is not added again: modules that ran come first. */
NODISCARD bool unloaded_collect(struct collector *c, struct str dir, struct err *err);

#endif

/* processes.h - what the processes of a session recorded about themselves. */
#ifndef ILCOV_COVERAGE_COLLECT_PROCESSES_H
#define ILCOV_COVERAGE_COLLECT_PROCESSES_H

#include "coverage/collect/collector.h"

/* Adds the processes, the modules that they skipped and that are not listed yet, and their losses;
 * finds the runtime's directory. Reports in one line a module the methods that hot reload changed
 * or added and that so are not counted (profiler/hot_reload.h), the modules of which exact counts
 * could not be had, and why counts may fall short (profiler/shards.h). The facts of modules that
 * ran must be there. */
NODISCARD bool processes_collect(struct collector *c, struct err *err);

/* Reports what was left out though it is the user's own, each in a line. If nothing was measured,
 * all causes are listed anyway (cli/outcome/explain.h). */
NODISCARD bool processes_tell(struct collector *c, struct err *err);

#endif

/* processes.h - what the processes of a session recorded about themselves. */
#ifndef ILCOV_COVERAGE_COLLECT_PROCESSES_H
#define ILCOV_COVERAGE_COLLECT_PROCESSES_H

#include "coverage/collect/collector.h"

/* Adds the processes, the modules that they skipped and that are not listed yet, and their losses;
 * finds the runtime's directory. */
NODISCARD bool processes_collect(struct collector *c, struct err *err);

/* Reports what was left out though it is the user's own, each in a line. If nothing was measured,
 * all causes are listed anyway (cli/outcome/explain.h). */
NODISCARD bool processes_tell(struct collector *c, struct err *err);

#endif

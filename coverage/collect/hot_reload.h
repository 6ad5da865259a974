/* hot_reload.h - what is not known of code that changed while it ran (profiler/hot_reload.h). */
#ifndef ILCOV_COVERAGE_COLLECT_HOT_RELOAD_H
#define ILCOV_COVERAGE_COLLECT_HOT_RELOAD_H

#include "coverage/collect/collector.h"

/* Reports, in one line a module, the methods that were changed or added and so are not counted, and
 * in one line the modules in which exact counts could not be had. The modules' facts must be there.
 */
NODISCARD bool hot_reload_collect(struct collector *c, struct err *err);

#endif

/* sharing.h - whose counts may fall short because threads had to share counters
 * (profiler/shards.h). */
#ifndef ILCOV_COVERAGE_COLLECT_SHARING_H
#define ILCOV_COVERAGE_COLLECT_SHARING_H

#include "coverage/collect/collector.h"

/* Reports, in one line for the session, why threads shared counters; nothing if none did. Whether
 * code was hit is exact all the same, so it is a warning and no loss. */
NODISCARD bool sharing_collect(struct collector *c, struct err *err);

#endif

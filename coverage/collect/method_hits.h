/* method_hits.h - which tests hit the counts of a method. */
#ifndef ILCOV_COVERAGE_COLLECT_METHOD_HITS_H
#define ILCOV_COVERAGE_COLLECT_METHOD_HITS_H

#include "coverage/collect/method_contents.h"

/* Adds to the hits that were asked for, if any were, those of the method in row `rid`, whose
 * counters begin at `first_counter` and whose counts at `entry`. */
NODISCARD bool method_hits_add(struct gatherer *g, uint32_t rid, const struct flow *flow,
                               const struct plan *plan, uint32_t first_counter, uint32_t entry,
                               const struct method_contents *contents, struct err *err);

#endif

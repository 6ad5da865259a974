/* merge_tests.h - the tests of many data files, and what they hit, as one. A run that several files
 * have gets its tests from the one that says most of them. */
#pragma once

#include "coverage/merge/merge_counts.h"

/* For each run of a file a number that is greater the more tests it has, or else the more counts
 * they hit; 0: it has none. NULL without memory. */
NODISCARD uint64_t *merge_tests_detail(const struct facts *facts, struct arena *arena,
                                       struct err *err);

/* Adds tests and hits to the facts of the union, whose layout is final; they must be sorted after
 * it. Reads again those sources that have tests. */
NODISCARD bool merge_tests(struct facts *facts, const struct merge_source *sources, uint32_t count,
                           struct arena *arena, struct err *err);

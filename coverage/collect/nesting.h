/* nesting.h - methods written inside other methods: lambdas, local functions, and the state
 * machines that the compiler makes of them. They are reported as the enclosing method, and excluded
 * with it. */
#ifndef ILCOV_COVERAGE_COLLECT_NESTING_H
#define ILCOV_COVERAGE_COLLECT_NESTING_H

#include "coverage/collect/gaps.h"

struct gatherer;

/* Notes where the code of a method was written. */
void nesting_note(struct gatherer *g, uint32_t method_rid, struct points_extent points);

/* Fills in user_method of the methods, and state and reason of those that are excluded with
 * another. */
NODISCARD bool nesting_fold(struct gatherer *g, struct err *err);

#endif

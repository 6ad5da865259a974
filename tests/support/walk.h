/* walk.h - random executions of a method, to prove that the counts made of its counters are true.
 * A walk goes through the original instructions as the runtime would: conditions and switches go
 * any way, whatever may throw throws now and then, handlers are entered, finally handlers run when
 * `leave` or an exception passes them. It counts how often each block began and each edge was
 * taken, and bumps the counters that probes at the plan's places would bump; then plan_count must
 * give the same numbers.
 * Knows by itself what may throw and what a condition on a constant does, from what is on the stack
 * on the way it came.
 * Errors: ERR_MISMATCH, ERR_MEMORY. */
#pragma once

#include "rewriter/plan.h"

struct walk_tally {
    uint64_t finished;  /* walks to a `ret`, or to an exception that nobody catches */
    uint64_t abandoned; /* endless ones, not counted */
    uint64_t steps;     /* instructions executed in the finished ones */
    uint64_t thrown;    /* exceptions */
    uint64_t excess;    /* begins of the `ret` of a tail call that the plan counts though the call
                           threw: documented in plan.h */
};

/* Adds to `tally`. The same seed walks the same ways. */
NODISCARD bool walk_check(struct walk_tally *tally, const struct flow *flow,
                          const struct plan *plan, unsigned walks, uint64_t seed,
                          struct arena *arena, struct err *err);

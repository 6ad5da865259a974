/* carry.h - counts of an older build for what a newer one did not run: `ilcov merge --carry`.
 * A method keeps the counts of the method that it was in the base (pairing.h) where the code is the
 * same; one that was edited keeps none, and neither does an assembly that `head` knows nothing of.
 * All that is carried is one run of the kind RUN_CARRIED, which any real count beats (sums.h). */
#ifndef ILCOV_COVERAGE_PAIRING_CARRY_H
#define ILCOV_COVERAGE_PAIRING_CARRY_H

#include "coverage/facts/facts.h"

/* `out` has the modules of `head` and the one run; `methods` is how many methods carry
 * something. */
NODISCARD bool carry(struct facts *out, uint64_t *methods, const struct facts *head,
                     const struct facts *base, struct arena *arena, struct err *err);

#endif

/* carry.h - counts of an older build for code that a newer one did not run: `ilcov merge --carry`.
 * A method keeps the counts of its counterpart in the base (pairing.h) if the code is the same.
 * Edited methods keep none; assemblies that `head` does not have are dropped. All carried counts
 * are one run of the kind RUN_CARRIED; any real count overrides it (sums.h). So are the tests
 * that a partial run left out (carry_tests.h). */
#pragma once

#include "coverage/facts/facts.h"

/* `out` has the modules of `head` and that run; `methods` is the number of methods with carried
 * counts. */
NODISCARD bool carry(struct facts *out, uint64_t *methods, const struct facts *head,
                     const struct facts *base, struct arena *arena, struct err *err);

/* sums.h - what all runs counted in a module, and which of its methods they ran.
 * Ran:     a method did, or could have and did not, when a whole run loaded its module, or when it
 *          was hit. A run that is partial (--partial) says nothing of what it did not hit, and no
 *          run says anything of a module that it did not load.
 * Carried: counts of an older build stand in for methods that did not run, and for no other: real
 *          counts beat them, whatever they are.
 * Owner:   everything lives in the arena. */
#ifndef ILCOV_COVERAGE_FACTS_SUMS_H
#define ILCOV_COVERAGE_FACTS_SUMS_H

#include "coverage/facts/facts.h"

enum sums_of {
    SUMS_REAL,         /* what was measured, by us or by another tool */
    SUMS_WITH_CARRIED, /* and what was carried, where that counts */
};

struct sums {
    uint64_t *counts; /* saturating */
    bool *ran;        /* of each method; what is folded into one ran with it */
    bool *is_carried; /* its counts are not its own */
};

NODISCARD bool sums_make(struct sums *out, const struct facts *facts, uint32_t module,
                         enum sums_of of, struct arena *arena, struct err *err);

/* The counts of every module, one vector each. */
NODISCARD bool sums_of_modules(uint64_t ***vectors, const struct facts *facts, enum sums_of of,
                               struct arena *arena, struct err *err);

#endif

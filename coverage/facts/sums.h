/* sums.h - the counts of all runs in a module, and which of its methods ran.
 * Ran:     a method was hit, or a complete run loaded its module, so that it could have been hit. A
 *          partial run (--partial) says nothing about code that it did not hit, and no run says
 *          anything about a module that it did not load.
 * Carried: counts of an older build stand in only for methods that did not run: real counts always
 *          override them.
 * Owner:   everything lives in the arena. */
#pragma once

#include "coverage/facts/facts.h"

enum sums_of {
    SUMS_REAL,         /* measured, by ilcov or another tool */
    SUMS_WITH_CARRIED, /* and carried counts, where they apply */
};

struct sums {
    uint64_t *counts; /* saturating */
    bool *ran;        /* per method; methods folded into one ran with it */
    bool *is_hit;     /* per user method: it was, or one folded into it */
    bool *is_carried; /* its counts are not its own */
};

NODISCARD bool sums_make(struct sums *out, const struct facts *facts, uint32_t module,
                         enum sums_of of, struct arena *arena, struct err *err);

/* The counts of every module, one vector each. */
NODISCARD bool sums_of_modules(uint64_t ***vectors, const struct facts *facts, enum sums_of of,
                               struct arena *arena, struct err *err);

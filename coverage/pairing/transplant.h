/* transplant.h - BASE's counts put where HEAD has them: by the pairs of methods, their statements
 * and decisions. Of edited code a statement is found again where all of its instructions are, in
 * the longest common run of statements, with the conditions in it. Where the code differs though
 * the source is the same, statements are told by their places.
 * Owner:  everything lives in the arena. */
#ifndef ILCOV_COVERAGE_PAIRING_TRANSPLANT_H
#define ILCOV_COVERAGE_PAIRING_TRANSPLANT_H

#include "coverage/pairing/pairing.h"

/* Vectors with the layout of a module. */
struct transplant {
    uint64_t **base;  /* of each module of HEAD: BASE's counts, 0 where nothing is known */
    uint64_t **known; /* likewise: 1 where a count of BASE was found */
    uint64_t **kept;  /* of each module of BASE: 1 where a count was found again in HEAD */
};

/* `counts`: of each module of BASE the vector. */
NODISCARD bool transplant(struct transplant *out, const struct pairing *pairing,
                          const struct facts *head, const struct facts *base,
                          uint64_t *const *counts, struct arena *arena, struct err *err);

#endif

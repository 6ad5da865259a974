/* transplant.h - moves BASE's counts to their places in HEAD: by pairs of methods, their statements
 * and decisions. In edited code, a statement is found again if all of its instructions are, in the
 * longest common subsequence of statements, together with its conditions. If the code differs
 * although the source is the same, statements are paired by position.
 * Owner:  everything lives in the arena. */
#pragma once

#include "coverage/merge/pairing.h"

/* Vectors with the layout of a module. */
struct transplant {
    uint64_t **base;  /* per module of HEAD: BASE's counts, 0 if unknown */
    uint64_t **known; /* per module of HEAD: 1 if a count of BASE was found */
    uint64_t **kept;  /* per module of BASE: 1 if a count was found again in HEAD */
};

/* `counts`: one vector per module of BASE. */
NODISCARD bool transplant(struct transplant *out, const struct pairing *pairing,
                          const struct facts *head, const struct facts *base,
                          uint64_t *const *counts, struct arena *arena, struct err *err);

/* fsharp_inlined.h - conditionals that nobody wrote where they stand: the compiler of F# copies `inline` functions,
 * Option.map and max, into their callers, and a pattern may be tested by more than one branch: is the
 * array there, and how long is it? A conditional of the user has text of its own, to which one of its ways
 * leads: a branch of an `if`, the body of a rule, an operand. Here the ways come together, or the method
 * ends, before there is any; or only a lambda is in them, and that is part of the statement.
 * Pure: used by judge.c.
 * Owner: arrays live in the arena. */
#ifndef ILCOV_COVERAGE_BRANCHES_FSHARP_INLINED_H
#define ILCOV_COVERAGE_BRANCHES_FSHARP_INLINED_H

#include "coverage/branches/point_map.h"

struct inlined {
    /* Of each block: where the ways of such a conditional at its end come together; the block itself when
     * they end there; NO_BLOCK when there is none. */
    uint32_t *join;
    /* Of each block: the outermost such conditional that it is on a way of, or NO_BLOCK. */
    uint32_t *within;
};

/* Of no other language than F#: nothing is inlined. Behind it the statement goes on, with no point to say
 * so; `cover` knows then. */
NODISCARD bool inlined_find(struct inlined *out, struct cover *cover, struct arena *arena,
                            struct err *err);

static inline bool inlined_tests(const struct inlined *inlined, uint32_t block)
{
    return inlined->join[block] != NO_BLOCK;
}

/* Where the way goes on behind block `n`, whose end only inlined code asks for; NO_BLOCK when it ends. */
static inline uint32_t inlined_goes_on(const struct inlined *inlined, uint32_t n)
{
    return inlined->join[n] != n ? inlined->join[n] : NO_BLOCK;
}

#endif

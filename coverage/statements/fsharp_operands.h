/* fsharp_operands.h - operands of && and || of F# that have no sequence point. In Release builds
 * the compiler merges `not (f x)`, `isNull x` and `x.IsSome` with what is around them and drops
 * their points; all other operands have one. Such a test is recognised by where its ways lead: to a
 * constant, which is the value of the whole, and to the text of the next operand; or to the texts
 * of two operands, of which one leads to the other. The source says whether an operand without a
 * point stands before that text; where it is not at hand, a test counts that no `match` makes, and
 * under whose point no other statement began. It gets a point without width, just before the next
 * operand.
 * Pure:   flow graph and sequence points in.
 * Owner:  arrays live in the arena. */
#pragma once

#include "coverage/statements/statements_source.h"

struct fsharp_operands {
    struct seq_points points; /* those of the method, and those of such operands */
    /* Per point: if it was added, the point of the next operand that has one, else NO_INDEX; NULL
     * if none was added. */
    uint32_t *next;
    bool *is_operand; /* per block: the branch at its end is such an operand; NULL if none is */
    /* Per point of the method: the block where the expression begins whose first operand with a
     * point it is, else NO_INDEX; NULL if none was added. */
    uint32_t *begins;
};

/* In other languages than F#, and in Debug builds, the points stay as they are. Ignores
 * `source->operands`, where the result belongs. */
NODISCARD bool fsharp_operands_find(struct fsharp_operands *out,
                                    const struct statements_source *source, struct arena *arena,
                                    struct err *err);

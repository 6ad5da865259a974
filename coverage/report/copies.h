/* copies.h - code that the compiler puts into several methods: a field initialiser into each
 * constructor that does not call another of its type, and with it the lambdas in it; the `finally`
 * of a seq of F# into the method that comes to its end and the one that leaves it early, or into
 * pieces that these call. Statements with the same span in several constructors of a type, or in
 * methods folded into them, or in these, are copies of one statement. Each run of a copy is a run
 * of its own, so the counts add up.
 * Units:  statements and decisions are indexes of the module's.
 * Owner:  the arrays live in the arena. */
#pragma once

#include "coverage/facts/facts.h"

struct copies {
    uint32_t *statement; /* per statement: the first of its copies, possibly itself */
    uint32_t *decision;  /* per decision; copies agree in kind and number of outcomes */
};

NODISCARD bool copies_find(struct copies *out, const struct fact_module *module,
                           struct arena *arena, struct err *err);

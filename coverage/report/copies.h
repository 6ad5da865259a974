/* copies.h - code that the compiler puts into several methods: a field initialiser into each
 * constructor that does not call another of its type, and with it the lambdas in it. Statements of
 * one span in several constructors of a type, or in what is folded into them, are copies of one.
 * Each run of a copy is a run of its own, so their counts add.
 * Units:  statements and decisions are indexes of the module's.
 * Owner:  the arrays live in the arena. */
#ifndef ILCOV_COVERAGE_REPORT_COPIES_H
#define ILCOV_COVERAGE_REPORT_COPIES_H

#include "coverage/facts/facts.h"

struct copies {
    uint32_t *statement; /* of each: the first of its copies, be it itself */
    uint32_t *decision;  /* likewise; alike in kind and number of outcomes */
};

NODISCARD bool copies_find(struct copies *out, const struct fact_module *module,
                           struct arena *arena, struct err *err);

#endif

/* nesting.h - methods written inside other methods: lambdas, local functions, and the state
 * machines that the compiler makes of them. They are reported as the enclosing method, and excluded
 * with it.
 * Owner:  everything lives in the arena. */
#ifndef ILCOV_COVERAGE_COLLECT_NESTING_H
#define ILCOV_COVERAGE_COLLECT_NESTING_H

#include "coverage/facts/facts.h"
#include "coverage/names/userview.h"

struct nesting {
    struct userview *view;
    struct span *spans;           /* by row: the range of a method's points (nesting.c) */
    struct fact_method *methods;  /* the caller's, before nesting_fold */
    const uint32_t *method_index; /* by row: index in methods, or NO_INDEX */
};

NODISCARD bool nesting_open(struct nesting *out, struct userview *view, struct arena *arena,
                            struct err *err);

/* Notes where the code of a method was written. */
void nesting_note(struct nesting *nesting, uint32_t method_rid, const struct seq_points *points);

/* Fills in user_method of the methods, and state and reason of those that are excluded with
 * another. method_index: by row, index in methods, or NO_INDEX. */
NODISCARD bool nesting_fold(struct nesting *nesting, struct fact_method *methods,
                            const uint32_t *method_index, struct err *err);

#endif

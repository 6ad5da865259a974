/* why.h - why code did not run: the places at which control stopped on all ways to it. A statement
 * that did not run is traced back (facts/causes.h) past others that did not, to those that did but
 * never came to their end, outcomes that never happened, methods that were never called. Where any
 * way is not known, nothing is said.
 * Units:  indexes of statements and decisions in the facts of the module. */
#ifndef ILCOV_COVERAGE_REPORT_WHY_H
#define ILCOV_COVERAGE_REPORT_WHY_H

#include "base/list.h"
#include "coverage/report/report.h"

/* Finds the whys of one module; equal ones of neighbours are one object. */
struct why_finder {
    const struct fact_module *module;
    const uint64_t *counts;
    uint32_t *known;  /* per statement: 1 + the index in `whys`, 1: none; 0: not looked for yet */
    struct list whys; /* const struct report_why * */
    struct arena *arena, *scratch;
};

/* `known` and the list are in `scratch`, what it finds in `arena`. */
NODISCARD bool why_open(struct why_finder *out, const struct fact_module *module,
                        const uint64_t *counts, struct arena *arena, struct arena *scratch,
                        struct err *err);

/* Why the statement, which did not run, did not; *out NULL if that is not known, or its
 * module was never loaded. */
NODISCARD bool why_of(const struct report_why **out, struct why_finder *finder, uint32_t statement,
                      struct err *err);

/* Is it certain that control never came to the decision? */
bool why_never_asked(const struct why_finder *finder, const struct fact_decision *decision);

/* A copy that needs neither the facts nor the arena of the report; NULL if out of memory. */
NODISCARD const struct report_why *why_copy(const struct report_why *why, struct arena *arena,
                                            struct err *err);

/* Do both say the same? Methods that were never called are alike. Copies are not compared. */
bool why_equal(const struct report_why *a, const struct report_why *b);

#endif

/* method_contents.h - what was written in a method, its statements and decisions, and how often
 * each ran.
 * Owner:  of the gatherer's scratch memory, until the next method; facts go into its lists. */
#ifndef ILCOV_COVERAGE_COLLECT_METHOD_CONTENTS_H
#define ILCOV_COVERAGE_COLLECT_METHOD_CONTENTS_H

#include "coverage/branches/decisions.h"
#include "coverage/collect/gatherer.h"
#include "coverage/statements/statements.h"

struct method_contents {
    struct statements statements;
    struct decisions decisions;
    uint32_t *place; /* of each decision: its index in the module's list, or NO_INDEX */
};

/* Adds all of it to the facts of the method in row `rid`. `counters` are the method's. Reads more
 * of the source where it must (statements_source.tokens). */
NODISCARD bool method_contents_add(struct method_contents *out, struct gatherer *g, uint32_t rid,
                                   struct statements_source *source, const struct plan *plan,
                                   const struct plan_counts *counts, const uint64_t *counters,
                                   struct err *err);

/* In place of that, all that is told of a method of a test assembly: where it stands. Its statement
 * has the count of its entry. */
NODISCARD bool method_contents_outline(struct gatherer *g, uint32_t rid,
                                       const struct seq_points *points, uint64_t entries,
                                       struct err *err);

/* How often a statement ran, and how often what is part of an outcome happened. */
uint64_t method_statement_count(const struct statements *statements,
                                const struct statement *statement,
                                const struct plan_counts *counts);
uint64_t method_part_count(const struct outcome_part *part, const struct plan_counts *counts,
                           const uint64_t *counters);

#endif

/* method_contents.h - what was written in a method, its statements and decisions, how often each
 * ran, and which tests hit it.
 * Owner:  of the module builder's scratch memory, until the next method; facts go into its
 *         lists. */
#pragma once

#include "coverage/branches/decisions.h"
#include "coverage/collect/module_builder.h"
#include "coverage/statements/statements.h"

struct method_contents {
    uint32_t rid;
    struct flow flow;
    struct plan plan;
    const uint64_t *counters; /* its own, of which the first is that one of the module's */
    uint32_t first_counter;
    struct plan_counts counts;
    uint32_t entry; /* index of its first count */
    struct seq_points points;
    struct statements_source source;
    struct fsharp_operands operands;
    struct statements statements;
    struct decisions decisions;
    uint32_t *place; /* of each decision: its index in the module's list, or NO_INDEX */
};

/* Finds the statements and decisions in `source`, and adds them to the facts. Reads more of the
 * source where it must (statements_source.tokens). */
NODISCARD bool method_contents_add(struct method_contents *m, struct module_builder *g,
                                   struct err *err);

/* In place of that, all that is told of a method of a test assembly: where it stands. Its statement
 * has the count of its entry. */
NODISCARD bool method_contents_outline(struct method_contents *m, struct module_builder *g,
                                       struct points_extent points, struct err *err);

/* Adds to the hits that were asked for, if any were, which tests hit the counts of the method. */
NODISCARD bool method_contents_hits(const struct method_contents *m, struct module_builder *g,
                                    struct err *err);

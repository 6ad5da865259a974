/* plan.h - which blocks, edges and values of a method get a counter, and what every count is made
 * of. A function of the IL body, the module's metadata and the mode alone, never of the PDB: the
 * profiler makes it in the target, the collector makes it again from the DLL, and counter n is the
 * same place on both sides.
 *
 * Counted are: each block (how often it began), each edge out of a condition or switch, and each
 * value that stands for an outcome: an operand of a materialised `a && b`, a filter's verdict. A
 * count that others imply gets no counter:
 *   - the target of a lone edge counts that edge, and vice versa;
 *   - a block that control can leave only by its edges (nothing in it may throw) is the sum of its
 *     outgoing edges, if those of a condition or switch have counts of their own;
 *   - a block is the sum of its incoming edges, if nothing may throw or wait between their counts
 *     and the block;
 *   - a block that ends with a counted value, true or false, is the sum of the two, if nothing in
 *     it may throw, and the edge out of it is, even if something may;
 *   - the outcomes of a condition that tests what all ways to it hand on, counted values and
 *     constants (`if (a && b)`), are the sums of those.
 * Never a difference: a kill or a lost increment would invent hits.
 *
 * Owner: arrays live in the arena. */
#pragma once

#include "contract/mode.h"
#include "rewriter/flow.h"

enum {
    PLAN_VERSION = 4
};

enum block_rule {
    RULE_NEVER,   /* unreachable */
    RULE_COUNTER, /* has its own */
    RULE_OUT,     /* the sum of its outgoing edges, which lead to higher blocks or have counters */
    RULE_IN,      /* the sum of its incoming edges, which come from lower blocks or have counters */
    RULE_VALUES,  /* the sum of its value counters */
};

struct plan {
    uint32_t counter_count;
    uint8_t *rule;           /* enum block_rule of each block */
    uint32_t *block_counter; /* of each block, or NO_INDEX */
    uint32_t *edge_counter;  /* of each edge, or NO_INDEX */
    /* of each block: the first of two, false and true, of the bool on top at its end, or of the
     * one that its last instruction stores */
    uint32_t *value_counter;
    uint8_t *handed; /* of each block: enum handed */
};

/* How a condition depends on what the blocks before it leave on the stack, if its outcomes are sums
 * of their counts. */
enum handed {
    HANDED_NOTHING,
    HANDED_AS_IS,
    HANDED_INVERTED, /* it tests the opposite */
};

NODISCARD bool plan_make(struct plan *out, const struct flow *flow, struct arena *arena);
/* flow_build, then plan_make. */
NODISCARD enum verdict plan_body(struct plan *out, struct flow *flow, struct view body,
                                 const struct metadata *md, const struct nothrow *nothrow,
                                 uint32_t rid, struct arena *arena);

/* The counts of blocks, edges and values from a method's counters. The only edge out of a block,
 * into a join, has a count of its own only if nothing can come in between. If the block may throw,
 * or the edge runs a finally handler or leads back, edges[] holds the target's count, which
 * includes all edges into it. No rule uses those. */
struct plan_counts {
    uint64_t *blocks, *edges;
};
NODISCARD bool plan_count(struct plan_counts *out, const struct plan *plan, const struct flow *flow,
                          const uint64_t *counters, struct arena *arena, struct err *err);

/* Continues a module's plan hash with one method (in the order of rows); start with
 * plan_hash_start. */
uint64_t plan_hash_start(enum count_mode mode);
uint64_t plan_hash_method(uint64_t hash, uint32_t method_rid, struct view body,
                          const struct plan *plan, const struct flow *flow);

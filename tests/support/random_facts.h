/* random_facts.h - what several machines could tell of one solution: a world, made up from a seed,
 * with builds of several assemblies and runs of them, and shards that each tell a part of it.
 * Owner:  everything lives in the arena; aborts without memory. */
#pragma once

#include "coverage/facts/facts.h"

enum {
    RANDOM_RUNS = 6,
    RANDOM_ALL_RUNS = (1 << RANDOM_RUNS) - 1
};

/* A number below `limit`, and the next state; never 0 again once it was not. */
uint32_t random_below(uint64_t *state, uint32_t limit);

/* Every assembly in several builds, every run with the counts it ended with. */
void random_world(struct facts *out, uint64_t *state, struct arena *arena);

/* What one machine tells of the runs whose bits are set: not of all modules, which lie elsewhere
 * here; some methods were left as they were, some are excluded, some sources are missing; and of a
 * run it may have no more than a snapshot from before its end. Counts stand in an order of its
 * own. */
void random_shard(struct facts *out, const struct facts *world, uint32_t runs, uint64_t *state,
                  struct arena *arena);

/* shards.h - which shard each thread counts in, and when a shard takes memory.
 *
 * A thread gets a shard of its own when it first enters the runtime, and gives it back when it
 * ends; the next thread takes it over. A shard that no thread had before is taken then: in the
 * counter file of each module that counts in shards, and in each module that loads later. Only
 * when SHARDS_MAX threads live at once, or there is no room for another shard, do threads share
 * one. A module with too little room for a shard of its own counts what belongs there in one that
 * it has (counter_file.h).
 * What runs on a stack that the library does not know counts in shard 0.
 * Threads: struct shards is guarded by the layout lock. */
#pragma once

#include "profiler/instance.h"

/* Takes the table, and shard 0 for the thread that starts the runtime. After windows_init. */
void shards_open(struct profiler *p);
/* For a library that is unloaded without having counted. */
void shards_close(struct profiler *p);

/* The calling thread enters the runtime. */
void shards_meet_thread(struct profiler *p, ThreadID id);
/* It never runs managed code again. */
/* Calls `lose` for its flow, under the layout lock. */
typedef void lose_function(struct profiler *p, struct execution_context *flow);
void shards_lose_thread(struct profiler *p, ThreadID id, lose_function *lose);
/* Attached: gives a shard to what looks like the stack of a thread. */
void shards_meet_strangers(struct profiler *p);

/* Where contexts' windows begin to be scarce, for them and for threads. */
enum {
    SHARDS_OF_CONTEXTS_MAX = 96,
    SHARDS_OF_THREADS_LEAST = 64, /* more threads share those */
};
/* How many are taken for this. */
uint32_t shards_count(const struct shards *shards, enum shard_role role);

/* Takes one more shard, for something else than a thread, in all modules. False if there is none.
 * Under the layout lock. */
NODISCARD bool shards_take_for(struct profiler *p, enum shard_role role, uint32_t *shard);

/* How many shards of `stride` bytes a module may have that loads now: of those that are taken, what
 * fits. At least 1. Under the layout lock. */
uint32_t shards_for_module(const struct profiler *p, size_t stride);

/* What is left of the room in the session, but for what is reserved for shard 0 of further
 * modules. */
uint64_t shards_room_to_spend(const struct profiler *p);

/* A module counts in this place from now on. Reports in the record, once for each reason, that
 * threads have to share counters: now, or when another thread comes. In `count` alone: elsewhere
 * nothing is lost. Under the layout lock. */
void shards_watch(struct profiler *p, struct counter_block *place);

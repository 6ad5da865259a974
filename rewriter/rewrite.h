/* rewrite.h - the new body of a method: the old instructions in their order, a probe wherever the
 * plan has a counter.
 * Owner:  the new body and the offset map live in the arena that is named for them: bodies given to
 *         the runtime must outlive the process's managed code.
 * Errors: VERDICT_OK, DECLINED_TOO_LARGE, DECLINED_MEMORY. */
#pragma once

#include "rewriter/anchor.h"
#include "rewriter/test_hook.h"

enum {
    REWRITE_CHUNK_BITS = 14, /* of an address: all of a chunk has one entry in the table of bases */
    REWRITE_ENTRY_BITS = 3
};

/* How a probe finds its counter. */
struct probe_form {
    enum count_mode mode;
    uint64_t counters; /* address of the method's first counter, in shard 0 */
    /* ANCHOR_NONE: every probe counts in shard 0; else the method is sharded */
    struct anchor anchor;
    /* MODE_HIT, not sharded: a probe writes only what is not yet written, so that threads do not
     * take the memory from each other again and again */
    bool looks_first;
    /* sharded: address of the table of bases, 8 bytes for each 1 << REWRITE_CHUNK_BITS bytes
     * of address space: what to add to the address of a counter in shard 0; before it lies a 0 */
    uint64_t shard_table;
    uint64_t shard_chunks; /* sharded: a mask for the number of the chunk; 0: none is needed */
    /* Every probe calls a function with the address of its counter in shard 0, and does nothing
     * else; always in MODE_EXACT. */
    bool calls;
    uint32_t function_sig; /* token of the unmanaged signature void(native int) */
    uint64_t function;
    const struct test_hook *test_hook; /* NULL: none */
};

static inline bool probe_form_shards(const struct probe_form *form)
{
    return form->anchor.kind != ANCHOR_NONE;
}

/* Where an old instruction went. */
struct il_map {
    uint32_t old_offset;
    uint32_t probe_offset; /* of what was inserted before it, otherwise its own */
    uint32_t new_offset;
};

struct rewritten {
    struct view body;
    struct il_map *map; /* one entry per instruction, ascending */
    uint32_t map_count;
};

NODISCARD enum verdict rewrite(struct rewritten *out, const struct flow *flow,
                               const struct plan *plan, const struct probe_form *form,
                               struct arena *body_arena, struct arena *arena);

/* Can the body be enclosed? Not if it ends in `jmp`. */
bool rewrite_can_enclose(const struct flow *flow);

/* Does a probe that looks first cost less, in MODE_HIT, than finding the shard? In code that is not
 * optimised; elsewhere if the method is so short, without a branch, a call or more than one
 * counter, that the JIT inlines it. */
bool rewrite_should_look_first(const struct flow *flow, const struct plan *plan);

/* May the method be sharded? Not if its frame must stay as it is. */
static inline bool rewrite_can_shard(const struct flow *flow)
{
    return !flow->calls_tail;
}

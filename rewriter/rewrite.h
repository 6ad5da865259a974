/* rewrite.h - the new body of a method: the old instructions in their order, a probe wherever the
 * plan has a counter.
 * Owner:  the new body and the offset map live in the arena that is named for them: bodies given to
 *         the runtime must outlive the process's managed code.
 * Errors: VERDICT_OK, REFUSED_TOO_LARGE, REFUSED_MEMORY. */
#ifndef ILCOV_REWRITER_REWRITE_H
#define ILCOV_REWRITER_REWRITE_H

#include "rewriter/plan.h"

enum {
    REWRITE_CHUNK_BITS = 14, /* of an address: all of a chunk has one entry in the table of bases */
    REWRITE_ENTRY_BITS = 3
};

/* How a probe finds its counter. */
struct probe_form {
    enum count_mode mode;
    uint64_t counters; /* address of the method's first counter, in shard 0 */
    bool sharded;      /* else every probe counts in shard 0 */
    /* MODE_HIT, not sharded: a probe writes only what is not yet written, so that threads do not
     * take the memory from each other again and again */
    bool looks_first;
    /* sharded: address of the table of bases, 8 bytes for each 1 << REWRITE_CHUNK_BITS bytes
     * of address space: what to add to the address of a counter in shard 0 */
    uint64_t shard_table;
    uint64_t shard_chunks; /* sharded: a mask for the number of the chunk; 0: none is needed */
    /* sharded: token of the method's locals followed by those of rewrite_locals */
    uint32_t local_sig;
    uint32_t exact_sig;      /* MODE_EXACT: token of the unmanaged signature void(native int) */
    uint64_t exact_function; /* MODE_EXACT: address of the function that adds 1 */
};

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

/* The locals that a sharded body has after the method's own, as types of a signature: the base and,
 * in optimised code, a dummy. It is as small as possible, because each inlined method has one in
 * its caller's frame. */
static inline struct view rewrite_locals(const struct metadata *md)
{
    static const uint8_t types[] = {ELEMENT_I, ELEMENT_U1};
    return (struct view){types, md->optimised ? 2 : 1};
}

/* Does a probe that looks first cost less, in MODE_HIT, than finding the shard? In code that is not
 * optimised; elsewhere if the method is so short, without a branch, a call or more than one
 * counter, that the JIT inlines it. */
bool rewrite_should_look_first(const struct flow *flow, const struct plan *plan);

/* ... in all methods of the module? Then no body of it needs a local of ours. */
static inline bool rewrite_all_look_first(const struct metadata *md, enum count_mode mode)
{
    return mode == MODE_HIT && !md->optimised;
}

/* May the method have a sharded body? Not if its frame must stay as it is, nor beyond the limit of
 * locals. */
bool rewrite_can_shard(const struct flow *flow);

#endif

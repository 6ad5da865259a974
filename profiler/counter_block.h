/* counter_block.h - where a module counts, and what its loads share: counters, plan, and the new
 * bodies, which hold the addresses of the counters. One for each (module, plan), however often a
 * process loads it, even at the same time.
 * Owner:   places live as long as the process: compiled code counts in them. One that was filled in
 *          for a module that turned out to have a place already is used for the next.
 * Threads: fixed once it is in the list (layout.c), except for its file's windows. */
#pragma once

#include "contract/reason.h"
#include "metadata/module.h"
#include "profiler/session/counter_file.h"
#include "rewriter/anchor.h"

struct placed_method {
    uint32_t original_len;                 /* of the compiler's body; 0 if it has no IL */
    uint32_t first_counter, counter_count; /* ascending: also where there are none */
    const uint8_t *body;                   /* new, NULL if it has none */
    struct anchor anchor;
    uint8_t verdict; /* of rewriting it */
    bool looks_first;
};

/* A method whose body is enclosed (rewriter/rewrite.h): a test, what is called around
 * tests, or a static constructor. */
struct enclosed_method {
    uint32_t rid, number;
    bool has_object;
    bool is_static; /* a static constructor */
};

struct counter_block {
    struct counter_block *next;
    uint8_t mvid[16];
    struct str name;      /* of its assembly */
    struct str path;      /* of its file; empty when it has none */
    uint64_t fingerprint; /* of its metadata and bodies */
    uint64_t plan_hash;
    uint32_t counter_count, method_count;
    enum count_mode mode;
    uint64_t counters; /* address of counter 0 in shard 0 */
    bool sharded;      /* bodies may count in shards; then each shard that is taken is mapped */
    enum reason_code shortage;              /* why it is not sharded, if that is worth telling */
    bool is_sharing_reported;               /* the record says that threads share its counters */
    uint32_t function_sig;                  /* token in its bodies, or 0: signatures.h */
    bool may_change;                        /* hot_reload.h: no method is nothrow then */
    struct nothrow nothrow;                 /* set by instrument.c */
    struct spare_locals spare;              /* likewise; gone when it is laid out */
    struct placed_method *methods;          /* by row, 1 first: [rid - 1] */
    const struct enclosed_method *enclosed; /* ascending rid */
    uint32_t enclosed_count;
    /* contexts.h: its number in the log of hits; 0: who hits what in it is not known */
    uint32_t log_number;
    /* Its windows grow with the shards that are taken (shards.c). */
    struct counter_file file;
    struct arena arena;  /* of methods, path and nothrow rows */
    struct arena bodies; /* the runtime keeps pointers into it */
};

void counter_block_init(struct counter_block *place);
void counter_block_free(struct counter_block *place);

/* What tells equal modules from others: plans and bodies are equal if all of it is. */
struct code_identity {
    const uint8_t *mvid;
    struct str name, path;
    enum count_mode mode;
    bool may_change;
    uint32_t method_count;
    uint64_t fingerprint;
};

/* All but the bodies, which follow by row. */
void code_identity_start(struct code_identity *out, const struct module *meta, struct str path,
                         enum count_mode mode, bool may_change);
void code_identity_add(struct code_identity *identity, uint32_t rid, struct view body);

bool counter_block_is_of(const struct counter_block *place, const struct code_identity *identity);

/* For a place that is empty. False without memory. */
NODISCARD bool counter_block_start(struct counter_block *place,
                                   const struct code_identity *identity);

/* The compiler's body in the image of a load of this place's module; empty if it has none. */
struct view counter_block_original(const struct counter_block *place, const struct module *meta,
                                   uint32_t rid);

/* What its plan knows about the methods that it calls; NULL: nothing. */
static inline const struct nothrow *counter_block_nothrow(const struct counter_block *place)
{
    return place->may_change ? NULL : &place->nothrow;
}

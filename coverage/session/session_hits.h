/* session_hits.h - what a process wrote down of the hits of its contexts, tests and classes of
 * tests (contract/session_format.h, "Hits of contexts").
 * Owner:  results live in the arena; texts are views into the file's bytes.
 * Errors: ERR_FORMAT. A last line without an end is ignored: its process was killed. */
#pragma once

#include "base/bytes.h"
#include "base/text.h"
#include "contract/session_format.h"

enum {
    SESSION_HITS_LIMIT = 1 << 30, /* bytes of the file */
};

enum context_end {
    CONTEXT_RUNS, /* or it is not known how it ended */
    CONTEXT_RETURNED,
    CONTEXT_THREW,
};

struct session_context {
    enum context_kind kind;
    enum context_end end;
    uint8_t mvid[16];
    uint32_t rid;    /* of its method */
    struct str type; /* Type.FullName of the object that it runs on; empty: none */
    uint64_t ns;     /* until it ended */
    uint64_t rows;   /* how often it did: rows of a theory */
    bool outlives;   /* its flow went on after its end, while another test ran */
};

/* Counters of a method that were hit, as the library wrote them: session_hits_runs. */
struct session_vector {
    uint32_t counts, rid; /* counts: index in session_hits.counts */
    struct str runs;
};

struct session_hit {
    uint32_t context, vector; /* indexes */
};

/* A counter file of the process. */
struct session_counts_name {
    struct str name; /* in the session */
    bool is_unsure;  /* its shards are not the contexts' */
};

struct session_hits {
    struct str process;               /* "<pid>-<start ticks>" */
    int64_t began;                    /* when the process did, Unix ns; 0: not known */
    struct session_context *contexts; /* that of number n: [n - 1] */
    uint32_t context_count;
    struct session_vector *vectors;
    uint32_t vector_count;
    struct session_hit *hits;
    uint32_t hit_count;
    struct session_counts_name *counts;
    uint32_t counts_count;
    /* Whose hits the shards of its counter files have now: as in the contexts file */
    uint32_t of_shard[SHARDS_MAX];
};

/* `name`: of the file, hits-<pid>-<start ticks>. */
NODISCARD bool session_parse_hits(struct session_hits *out, struct str name, struct view file,
                                  struct arena *arena, struct err *err);
/* The file contexts-<...> of the same process. A context that the hits do not have is newer than
 * they are: what it hits is nobody's yet. */
NODISCARD bool session_parse_contexts(struct session_hits *hits, struct view file, struct err *err);

/* Sets hit[counter] of a method with so many counters. */
NODISCARD bool session_hits_runs(uint8_t *hit, uint32_t count, struct str runs, struct err *err);

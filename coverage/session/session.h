/* session.h - a run's session directory, as the program reads it. session_directory.h creates and
 * removes it; contract/session_format.h describes its files.
 * Owner:  results of session_read live in the arena, except for counters, which are read on demand.
 * Errors: ERR_IO the directory can't be read. A damaged file in it is not an error of the
 *         session: it is named in `warnings` and skipped. */
#pragma once

#include "base/bytes.h"
#include "contract/reason.h"
#include "coverage/session/session_config.h"
#include "coverage/session/session_hits.h"

enum {
    SESSION_RECORD_LIMIT = 16 << 20,   /* bytes of a process record */
    SESSION_WARNINGS_LIMIT = 64 << 10, /* bytes that are read from the file of troubles */
    SESSION_HEAD_LIMIT =
        32 << 20, /* bytes of a counter file before its first shard: a verdict for each method */
    SESSION_COUNTERS_LIMIT = 1 << 26, /* counters in a shard */
    SESSION_METHODS_LIMIT = 0xFFFFFF, /* ECMA-335 II.22: a token's row has 24 bits */
};

struct session_counters { /* one counter file */
    struct str file;      /* path */
    struct str module_path, module_name;
    uint8_t mvid[16];
    uint64_t plan_hash;
    enum count_mode mode;
    bool may_change; /* hot reload may have changed its code: its plan knows no callees */
    uint32_t shard_count, counter_count, method_count;
    uint64_t shard_stride, shards_offset;
    struct view verdicts; /* method_count bytes, each an enum verdict */
};

struct session_skip {
    struct str name, path;
    struct reason reason;
};

struct session_instrumented {
    struct str name, path;
    uint8_t mvid[16];
    uint32_t methods, declined;
};

/* A method that hot reload changed in the program, or added to it. */
struct session_change {
    struct str module_name;
    uint8_t mvid[16];
    uint32_t method_rid;
    struct str method; /* "N.Outer/Inner.Method"; empty: not known */
    bool is_added;
};

struct session_process {
    uint32_t pid;
    struct str program, runtime, runtime_dir;
    struct reason declined; /* REASON_NONE: it was not */
    uint32_t parent;        /* process ID; 0: unknown */
    bool asks_coverage;     /* it has the argument --coverage */
    struct str *tests;      /* of a test driver: assemblies whose tests it runs elsewhere */
    uint32_t test_count;
    int64_t
        attached; /* Unix seconds when the library was attached; 0: it was there from the start */
    bool is_detached; /* since then: it left, or its methods run without counters */
    bool is_again;    /* ... and so they did before */
    struct session_instrumented *instrumented;
    uint32_t instrumented_count;
    struct session_skip *skips;
    uint32_t skip_count;
    struct session_change *changes; /* one may be named several times */
    uint32_t change_count;
    struct reason *sharings; /* why threads had to share counters */
    uint32_t sharing_count;
    struct str *warnings;
    uint32_t warning_count;
};

struct session {
    struct session_process *processes; /* ascending file name */
    uint32_t process_count;
    struct session_counters *counters; /* ascending file name: mvid, plan hash, slot */
    uint32_t counters_count;
    struct str *module_copies; /* paths of <mvid>.module, ascending */
    uint32_t module_copy_count;
    struct session_hits *hits; /* of processes that tell them apart by context */
    uint32_t hits_count;
    struct str *warnings; /* damaged files, each a sentence */
    uint32_t warning_count;
    struct str *losses; /* losses reported by processes that could not write to their record */
    uint32_t loss_count;
};

NODISCARD bool session_read(struct session *out, const char *path, struct arena *arena,
                            struct err *err);

/* How session_read parses the bytes of one file; `name` is the last part of its path. Texts and
 * verdicts of a counter file stay views into `head`, which holds at least everything before the
 * first shard of a file of `file_len` bytes. */
NODISCARD bool session_parse_counters(struct session_counters *out, struct str name,
                                      struct view head, uint64_t file_len, struct err *err);
/* The last line of a record may be incomplete if its process was killed: it is ignored. */
NODISCARD bool session_parse_process(struct session_process *out, struct str name,
                                     struct view record, struct arena *arena, struct err *err);

/* The texts of the file of troubles. Any process may have written anything to it, so they are made
 * printable and limited in number. */
NODISCARD bool session_parse_warnings(struct str **out, uint32_t *count, struct view file,
                                      struct arena *arena, struct err *err);

/* The copy that the library kept of this module, NULL if there is none; and whether there is a
 * counter file of it. There may be thousands: both search the sorted lists. */
const struct str *session_module_copy(const struct session *session, const uint8_t mvid[16]);
bool session_has_counters(const struct session *session, const uint8_t mvid[16]);

/* The number of methods with counters, over all modules. */
uint64_t session_methods(const struct session_process *process);

/* Sets hit[counter_count] where the counters of one shard are not 0. */
NODISCARD bool session_add_hits(uint8_t *hit, const struct session_counters *counters,
                                uint32_t shard, struct err *err);

/* Adds the counters of one file, summed over its shards, to sums[counter_count] (saturating). */
NODISCARD bool session_add_counts(uint64_t *sums, const struct session_counters *counters,
                                  struct err *err);

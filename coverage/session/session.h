/* session.h - a run's session directory, read by the program: who makes and removes it:
 * session_directory.h; the files in it: contract/counters.h.
 * Owner:  what session_read gives lives in the arena, but for the counters, which are read when
 *         asked for.
 * Errors: ERR_IO the directory can't be read. A damaged file in it is not an error of the
 *         session: it is named in `troubles` and skipped. */
#ifndef ILCOV_COVERAGE_SESSION_SESSION_H
#define ILCOV_COVERAGE_SESSION_SESSION_H

#include "base/bytes.h"
#include "contract/reason.h"
#include "coverage/session/session_config.h"

enum {
    SESSION_RECORD_LIMIT = 16 << 20,   /* bytes of a process record */
    SESSION_TROUBLES_LIMIT = 64 << 10, /* bytes that are read of the file of troubles */
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
    uint32_t shard_count, counter_count, method_count;
    uint64_t shard_stride, shards_offset;
    struct view verdicts; /* method_count bytes, each an enum verdict */
};

struct session_skip {
    struct str name, path;
    struct reason reason;
};

struct session_covered {
    struct str name, path;
    uint8_t mvid[16];
    uint32_t methods, refused;
};

struct session_process {
    uint32_t pid;
    struct str program, runtime, runtime_dir;
    struct reason declined; /* REASON_NONE: it was not */
    int64_t
        attached; /* Unix seconds: when the library came to it, or 0: it was there from the start */
    struct session_covered *covered;
    uint32_t covered_count;
    struct session_skip *skips;
    uint32_t skip_count;
    struct str *troubles;
    uint32_t trouble_count;
};

struct session {
    struct session_process *processes; /* ascending file name */
    uint32_t process_count;
    struct session_counters *counters; /* ascending file name: mvid, plan hash, slot */
    uint32_t counters_count;
    struct str *module_copies; /* paths of <mvid>.module */
    uint32_t module_copy_count;
    struct str *troubles; /* damaged files, each a sentence */
    uint32_t trouble_count;
    struct str *losses; /* what processes told that could not write it to their record */
    uint32_t loss_count;
};

NODISCARD bool session_read(struct session *out, const char *path, struct arena *arena,
                            struct err *err);

/* What session_read does with the bytes of one file; `name` is the last part of its path. Texts and
 * verdicts of a counter file stay views into `head`: at least everything before its first shard, of
 * `file_len` bytes in all. */
NODISCARD bool session_parse_counters(struct session_counters *out, struct str name,
                                      struct view head, uint64_t file_len, struct err *err);
/* The last line of a record may be cut, where its process was killed: it is ignored. */
NODISCARD bool session_parse_process(struct session_process *out, struct str name,
                                     struct view record, struct arena *arena, struct err *err);

/* The texts of the file of troubles, to which anybody may have written anything: printable, and as
 * many lines as make sense. */
NODISCARD bool session_parse_troubles(struct str **out, uint32_t *count, struct view file,
                                      struct arena *arena, struct err *err);

/* How many methods have counters, of all its modules. */
uint64_t session_methods(const struct session_process *process);

/* Adds the counters of one file, summed over its shards, to sums[counter_count] (saturating). */
NODISCARD bool session_add_counts(uint64_t *sums, const struct session_counters *counters,
                                  struct err *err);

#endif

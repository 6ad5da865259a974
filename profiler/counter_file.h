/* counter_file.h - the counters of one module in this process: a file of the session (format:
 * session_format.h), mapped shard by shard into the windows; or private memory if there is no file,
 * in which case the record reports the loss. No descriptor is kept: the mappings hold the
 * file's lock.
 * Threads: callers hold the layout lock. */
#ifndef ILCOV_PROFILER_COUNTER_FILE_H
#define ILCOV_PROFILER_COUNTER_FILE_H

#include "contract/mode.h"
#include "profiler/folder.h"
#include "profiler/shard_windows.h"

struct counter_file_request {
    const struct folder *folder; /* of the session */
    struct str name, path;
    const uint8_t *mvid;
    uint64_t plan_hash;
    enum count_mode mode;
    uint32_t counter_count, method_count;
    uint32_t shard_count;
    uint8_t *place; /* where shard 0 goes */
};

struct counter_file {
    uint8_t *head; /* the part before the shards, mapped; NULL: private memory */
    size_t head_len, verdicts_at;
    bool place_is_lost; /* opening failed, and another mapping may have the place by now */
};

/* Bytes from one shard to the next for this many counters: whole pages. */
size_t counter_file_stride(enum count_mode mode, uint32_t counter_count);

/* The largest power of two of shards, at most `wanted`, that fits the budget: 8 MiB a module, and a
 * quarter of what the file system and the memory cgroup have left. At least 1. */
uint32_t counter_file_shards(const struct folder *folder, size_t stride, uint32_t wanted);

/* Finds a free slot, makes or reuses its file, maps its shards at `place` and window distances
 * after it. False if no file could be used (the text says why; ERR_MEMORY: it could not be
 * mapped); nothing is mapped then. */
NODISCARD bool counter_file_open(struct counter_file *out,
                                 const struct counter_file_request *request, struct err *err);

/* Private memory in the same place instead: the code runs, its counts are lost. */
NODISCARD bool counter_file_private(struct counter_file *out,
                                    const struct counter_file_request *request, struct err *err);

/* Adds what became of each method: verdicts of rows 1 to method_count. For each method the file
 * keeps the worst verdict of any process or load, as the collector does across files. */
void counter_file_add_verdicts(const struct counter_file *file, const uint8_t *verdicts,
                               uint32_t method_count);
/* The same for one method. */
void counter_file_add_verdict(const struct counter_file *file, uint8_t verdict, uint32_t rid);

#endif

/* counter_file.h - the counters of one module in this process: a file of the session (format:
 * session_format.h), mapped shard by shard into the windows, and growing by a shard when a thread
 * needs one; or private memory if there is no file, in which case the record reports the loss. No
 * descriptor is kept: the mappings hold the file's lock.
 * Threads: callers hold the layout lock. */
#pragma once

#include "contract/mode.h"
#include "contract/session_format.h"
#include "profiler/session/session_folder.h"
#include "profiler/shard_memory/shard_windows.h"

enum {
    COUNTER_FILE_NAME_ROOM = 96
};

struct counter_file_request {
    const struct folder *folder; /* of the session */
    struct str name, path;
    const uint8_t *mvid;
    uint64_t plan_hash;
    enum count_mode mode;
    uint32_t counter_count, method_count;
    bool may_change; /* hot_reload.h */
    /* its shards are contexts' (contexts.h): no earlier process has counted there, and there are as
     * many as are wanted, if there is room */
    bool by_context;
    uint32_t shard_count;  /* of the file, if it is new */
    uint32_t window_count; /* to map: at least 1 */
    uint8_t *place;        /* where shard 0 goes; its head right before */
};

struct counter_file {
    uint8_t *head; /* the part before the shards, mapped; NULL: private memory */
    size_t head_len, verdicts_at;
    uint8_t *place;
    size_t stride;
    uint32_t shard_count;      /* of the file */
    uint32_t window_count;     /* that are mapped, each to one of the shards */
    uint8_t shown[SHARDS_MAX]; /* by window: its shard */
    char name[COUNTER_FILE_NAME_ROOM];
    struct file_identity identity;
    bool by_context;
    bool place_is_lost; /* opening failed, and another mapping may have the place by now */
};

/* Bytes from one shard to the next for this many counters: whole pages. */
size_t counter_file_stride(enum count_mode mode, uint32_t counter_count);

/* Bytes before shard 0: whole pages. Needs name, path and number of methods. */
size_t counter_file_head_len(const struct counter_file_request *request);

/* What the file system and the memory cgroup have left. */
uint64_t counter_file_room(const struct folder *folder);
/* As many shards, at most `wanted`, as fit the room and the budget of a module: 8 MiB, or
 * SHARDS_MAX pages where that is more. At least 1. */
uint32_t counter_file_shards(size_t stride, uint32_t wanted, uint64_t room, bool by_context);

/* Would another shard exceed that budget, whatever room there is? */
bool counter_file_is_full(const struct counter_file *file);

/* Finds a free slot, makes or reuses its file, maps its shards at `place` and window distances
 * after it, one mapping each: that of shard 0 has the head, too. A file that has fewer shards than
 * are wanted grows if it can; windows share what there is. False if no file could be used (the text
 * says why; ERR_MEMORY: it could not be mapped); nothing is mapped then. */
NODISCARD bool counter_file_open(struct counter_file *out,
                                 const struct counter_file_request *request, struct err *err);

/* Private memory in the same place instead: the code runs, its counts are lost. */
NODISCARD bool counter_file_private(struct counter_file *out,
                                    const struct counter_file_request *request, struct err *err);

/* Maps the next window: a new shard of the file if `room` and the module's budget allow, else one
 * that is there. False if it can't be mapped (ERR_MEMORY), or the file can't be opened again. */
NODISCARD bool counter_file_add_window(struct counter_file *file, const struct folder *folder,
                                       uint64_t room, struct err *err);

/* Adds what became of each method: verdicts of rows 1 to method_count. For each method the file
 * keeps the worst verdict of any process or load, as the collector does across files. */
void counter_file_add_verdicts(const struct counter_file *file, const uint8_t *verdicts,
                               uint32_t method_count);
/* The same for one method. */
void counter_file_add_verdict(const struct counter_file *file, uint8_t verdict, uint32_t rid);

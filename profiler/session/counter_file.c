#include "profiler/session/counter_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hex.h"
#include "contract/session_format.h"
#include "contract/verdict.h"
#include "system/file.h"
#include "system/file_status.h"
#include "system/memory.h"

enum {
    SLOTS_MAX = 4096,
    MODULE_BUDGET = 8 << 20
};

size_t counter_file_stride(enum count_mode mode, uint32_t counter_count)
{
    size_t len = counter_count * mode_counter_size(mode);
    return map_whole(len != 0 ? len : 1);
}

uint64_t counter_file_room(const struct folder *folder)
{
    uint64_t room = folder_room(folder), memory = memory_room();
    return room < memory ? room : memory;
}

static uint64_t module_budget(size_t stride, bool by_context)
{
    if (by_context)
        return SHARDS_MAX * (uint64_t)stride;
    uint64_t pages = SHARDS_MAX * (uint64_t)map_granularity();
    return pages > MODULE_BUDGET ? pages : MODULE_BUDGET;
}

uint32_t counter_file_shards(size_t stride, uint32_t wanted, uint64_t room, bool by_context)
{
    uint64_t budget = module_budget(stride, by_context),
             fit = (room < budget ? room : budget) / stride;
    if (fit < wanted)
        wanted = (uint32_t)fit;
    return wanted > 1 ? wanted : 1;
}

bool counter_file_is_full(const struct counter_file *file)
{
    return (file->shard_count + 1) * (uint64_t)file->stride >
           module_budget(file->stride, file->by_context);
}

/* --- one file --------------------------------------------------------------------------------- */

struct file_layout {
    size_t verdicts, name, path, shards, stride, len;
    uint32_t shard_count; /* of the file */
};

static struct file_layout lay_out_file(const struct counter_file_request *request)
{
    struct file_layout l;
    l.name = COUNTERS_HEADER_LEN;
    l.path = l.name + request->name.len;
    l.verdicts = l.path + request->path.len;
    l.shards = map_whole(l.verdicts + request->method_count);
    l.stride = counter_file_stride(request->mode, request->counter_count);
    l.len = l.shards + l.stride * request->shard_count;
    l.shard_count = request->shard_count;
    return l;
}

size_t counter_file_head_len(const struct counter_file_request *request)
{
    return lay_out_file(request).shards;
}

static void fill_header(uint8_t *header, const struct counter_file_request *request,
                        const struct file_layout *l)
{
    memset(header, 0, COUNTERS_HEADER_LEN);
    memcpy(header, COUNTERS_MAGIC, COUNTERS_AT_VERSION);
    store_u32(header + COUNTERS_AT_VERSION, COUNTERS_VERSION);
    store_u32(header + COUNTERS_AT_MODE, (uint32_t)request->mode);
    store_u64(header + COUNTERS_AT_PLAN_HASH, request->plan_hash);
    store_u32(header + COUNTERS_AT_SHARD_COUNT, request->shard_count);
    store_u32(header + COUNTERS_AT_COUNTER_COUNT, request->counter_count);
    store_u64(header + COUNTERS_AT_SHARD_STRIDE, l->stride);
    store_u64(header + COUNTERS_AT_SHARDS, l->shards);
    memcpy(header + COUNTERS_AT_MVID, request->mvid, 16);
    store_u32(header + COUNTERS_AT_METHOD_COUNT, request->method_count);
    store_u32(header + COUNTERS_AT_VERDICTS, (uint32_t)l->verdicts);
    store_u32(header + COUNTERS_AT_PATH, (uint32_t)l->path);
    store_u32(header + COUNTERS_AT_PATH + 4, (uint32_t)request->path.len);
    store_u32(header + COUNTERS_AT_NAME, (uint32_t)l->name);
    store_u32(header + COUNTERS_AT_NAME + 4, (uint32_t)request->name.len);
    store_u32(header + COUNTERS_AT_MAY_CHANGE, request->may_change);
}

/* The new, empty file gets its full size first: a full disk fails here and not later, as SIGBUS in
 * the user's code. */
static bool make_counter_file(int fd, const struct counter_file_request *request,
                              const struct file_layout *l, struct err *err)
{
    uint8_t header[COUNTERS_HEADER_LEN], ready[4];
    if (!file_length_allowed(l->len) || !file_reserve(fd, 0, l->len))
        return err_set_errno(err, "no room for %zu bytes of counters in %s", l->len,
                             request->folder->path);
    fill_header(header, request, l);
    store_u32(ready, COUNTERS_READY);
    if (!file_write_at(fd, header, sizeof header, 0) ||
        !file_write_at(fd, request->name.text, request->name.len, l->name) ||
        !file_write_at(fd, request->path.text, request->path.len, l->path) ||
        !file_write_at(fd, ready, sizeof ready, COUNTERS_AT_READY))
        return err_set_errno(err, "the counter file of %.*s cannot be written",
                             STR_ARGS(request->name));
    return true;
}

/* A file that an earlier process left, of this layout but for the number of shards: the counts
 * continue in it. */
static bool is_usable(int fd, const struct counter_file_request *request, struct file_layout *l)
{
    uint8_t header[COUNTERS_HEADER_LEN], wanted[COUNTERS_HEADER_LEN];
    struct file_status status;
    if (!file_status_open(&status, fd) || !file_read_at(header, sizeof header, fd, 0))
        return false;
    fill_header(wanted, request, l);
    store_u32(wanted + COUNTERS_AT_READY, COUNTERS_READY);
    l->shard_count = load_u32(header + COUNTERS_AT_SHARD_COUNT);
    store_u32(wanted + COUNTERS_AT_SHARD_COUNT, l->shard_count);
    return memcmp(header, wanted, sizeof wanted) == 0 && l->shard_count != 0 &&
           l->shard_count <= SHARDS_MAX &&
           status.size == l->shards + l->shard_count * (uint64_t)l->stride;
}

/* First the file, then its number of shards: whoever reads it meanwhile finds no more than there
 * is. */
static void grow_file(int fd, const struct counter_file_request *request, struct file_layout *l)
{
    uint8_t count[4];
    size_t more = (request->shard_count - l->shard_count) * l->stride,
           end = l->shards + l->shard_count * l->stride;
    store_u32(count, request->shard_count);
    if (file_length_allowed(end + more) && file_reserve(fd, end, more) &&
        file_write_at(fd, count, sizeof count, COUNTERS_AT_SHARD_COUNT))
        l->shard_count = request->shard_count;
}

/* Opens the file of a slot and locks it. *taken: another process counts there, or the file has
 * another layout. */
static int open_slot(struct counter_file *out, const struct counter_file_request *request,
                     struct file_layout *l, unsigned slot, bool *taken, struct err *err)
{
    char *name = out->name, mvid[HEX_ROOM(16)];
    struct file_status status;
    *taken = false;
    (void)snprintf(name, sizeof out->name, "%s-%016" PRIx64 "-%u" SESSION_COUNTS,
                   hex_of(mvid, request->mvid, 16), request->plan_hash, slot);
    l->shard_count = request->shard_count;
    int fd = folder_file(request->folder, name, FILE_READ | FILE_WRITE | FILE_MAKE);
    if (fd < 0) {
        (void)err_set_errno(err, "the counter file %s/%s cannot be made", request->folder->path,
                            name);
        return -1;
    }
    enum file_locked locked = file_lock_try(fd, FILE_LOCK_EXCLUSIVE);
    if (locked != FILE_LOCKED || !file_status_open(&status, fd)) {
        *taken = locked == FILE_LOCK_TAKEN;
        if (!*taken)
            (void)err_set_errno(err, "the counter file %s/%s cannot be locked",
                                request->folder->path, name);
    } else if (status.links == 0) {
        *taken = true; /* another process created it, found no room and removed it again */
    } else if (status.size == 0) {
        if (make_counter_file(fd, request, l, err))
            return fd;
        folder_remove(request->folder, name);
    } else if (!request->by_context && is_usable(fd, request, l)) {
        if (l->shard_count < request->shard_count)
            grow_file(fd, request, l);
        return fd;
    } else {
        *taken = true;
    }
    (void)file_close(fd);
    return -1;
}

/* Makes them reserved address space again, as in shard_windows.c. A mapping that stayed would keep
 * the file's lock. */
static bool unmap_shards(const struct counter_file_request *request, const struct file_layout *l,
                         uint32_t count)
{
    bool whole = true;
    for (uint32_t s = 0; s < count; s++)
        whole &= map_reserve_again(request->place + ((size_t)s << WINDOW_BITS) - l->shards,
                                   l->shards + l->stride);
    return whole;
}

/* Each window shows as much of the file before the shard as the head has: of shard 0 that is the
 * head, of others nothing that is used, but a gap would be a mapping, too. */
static bool map_window(struct counter_file *file, int fd, uint32_t window, uint32_t shard)
{
    uint8_t *at = file->place + ((size_t)window << WINDOW_BITS) - file->head_len;
    size_t len = file->head_len + file->stride;
    file->shown[window] = (uint8_t)shard;
    return fd >= 0 ? map_shared_at(at, len, fd, shard * file->stride) : map_memory_at(at, len);
}

static bool map_windows(struct counter_file *out, int fd,
                        const struct counter_file_request *request, const struct file_layout *l,
                        struct err *err)
{
    out->place = request->place;
    out->stride = l->stride;
    out->head_len = l->shards;
    out->verdicts_at = l->verdicts;
    out->shard_count = l->shard_count;
    out->by_context = request->by_context;
    for (uint32_t w = 0; w < request->window_count; w++) {
        if (map_window(out, fd, w, w % out->shard_count))
            continue;
        (void)err_set(err, ERR_MEMORY, "the counters of %.*s cannot be mapped: %s",
                      STR_ARGS(request->name), strerror(errno));
        /* this one too: the failed call may have unmapped it */
        out->place_is_lost = !unmap_shards(request, l, w + 1);
        return false;
    }
    out->window_count = request->window_count;
    out->head = fd >= 0 ? out->place - out->head_len : NULL;
    return true;
}

/* The mappings keep the lock, so the descriptor is closed: the target may need it, or may close it
 * and reuse its number for a file of its own. */
bool counter_file_open(struct counter_file *out, const struct counter_file_request *request,
                       struct err *err)
{
    struct file_layout l = lay_out_file(request);
    bool taken = true;
    int fd = -1;
    *out = (struct counter_file){.head = NULL};
    for (unsigned slot = 0; slot < SLOTS_MAX && taken && fd < 0; slot++)
        fd = open_slot(out, request, &l, slot, &taken, err);
    if (fd < 0)
        return taken ? err_set(err, ERR_LIMIT, "all %d counter files of %.*s are in use", SLOTS_MAX,
                               STR_ARGS(request->name))
                     : false;
    (void)!file_identity_open(&out->identity, fd);
    bool mapped = map_windows(out, fd, request, &l, err);
    (void)file_close(fd);
    return mapped;
}

bool counter_file_private(struct counter_file *out, const struct counter_file_request *request,
                          struct err *err)
{
    struct file_layout l = lay_out_file(request);
    *out = (struct counter_file){.head = NULL};
    return map_windows(out, -1, request, &l, err);
}

/* --- another window --------------------------------------------------------------------------- */

/* The file that is mapped; its name may mean another one by now. */
static int open_again(const struct counter_file *file, const struct folder *folder)
{
    int fd = folder_file(folder, file->name, FILE_READ | FILE_WRITE);
    return file_identity_demand(&file->identity, fd);
}

/* In the order of `grow`. */
static bool add_shard(struct counter_file *file, int fd, uint64_t room)
{
    size_t end = file->head_len + file->shard_count * file->stride;
    if (file->stride > room || counter_file_is_full(file) ||
        !file_length_allowed(end + file->stride) || !file_reserve(fd, end, file->stride))
        return false;
    file->shard_count++;
    store_u32(file->head + COUNTERS_AT_SHARD_COUNT, file->shard_count);
    return true;
}

/* What a window shows is fixed once it is mapped: code may run there. */
bool counter_file_add_window(struct counter_file *file, const struct folder *folder, uint64_t room,
                             struct err *err)
{
    int fd = -1;
    if (file->head != NULL) {
        fd = open_again(file, folder);
        if (fd < 0)
            return err_set_errno(err, "the counter file %s/%s cannot be opened again", folder->path,
                                 file->name);
    }
    uint32_t window = file->window_count, shard = window % file->shard_count;
    if (fd >= 0 && window >= file->shard_count && add_shard(file, fd, room))
        shard = file->shard_count - 1;
    bool mapped = map_window(file, fd, window, shard);
    if (mapped)
        file->window_count++;
    else
        (void)err_set(err, ERR_MEMORY, "window %u of %s cannot be mapped: %s", window, file->name,
                      strerror(errno));
    if (!mapped &&
        !map_reserve_again(file->place + ((size_t)window << WINDOW_BITS) - file->head_len,
                           file->head_len + file->stride))
        file->place_is_lost = true; /* what another mapping may have by now is never used */
    (void)file_close(fd);
    return mapped;
}

/* Atomic, because two loads of a module share its file. */
static void keep_worst(uint8_t *kept, uint8_t verdict)
{
    uint8_t old = __atomic_load_n(kept, __ATOMIC_RELAXED);
    while (verdict_is_worse(verdict, old) &&
           !__atomic_compare_exchange_n(kept, &old, verdict, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        continue;
}

void counter_file_add_verdict(const struct counter_file *file, uint8_t verdict, uint32_t rid)
{
    if (file->head != NULL)
        keep_worst(file->head + file->verdicts_at + rid - 1, verdict);
}

void counter_file_add_verdicts(const struct counter_file *file, const uint8_t *verdicts,
                               uint32_t method_count)
{
    for (uint32_t i = 0; i < method_count; i++)
        counter_file_add_verdict(file, verdicts[i], i + 1);
}

/* The file `baseline` of a session, little-endian:
 *
 *   0   8   "ILCOVBAS"
 *   8   4   BASELINE_VERSION          12  4   number of groups
 *   16  8   since, seconds            24  16  id of the run that began then
 *   then for each group
 *       16  mvid   8  plan hash       4  N    4  zero
 *       N * 8   sums */
#include "coverage/session/baseline.h"

#include <errno.h>
#include <string.h>

#include "base/path.h"
#include "system/file.h"
#include "system/file_status.h"
#include "system/folder.h"

#define BASELINE_MAGIC "ILCOVBAS"

enum {
    BASELINE_VERSION = 1,
    MAGIC_LEN = 8,
    MVID_LEN = 16
};

/* Enough for some hundred modules with as many counters as a file may have: a larger file is
 * damaged. */
#define BASELINE_LIMIT ((uint64_t)4 << 30)

/* --- reading ---------------------------------------------------------------------------------- */

static bool read_group(struct baseline *out, struct reader *r, struct arena *arena, struct err *err)
{
    const uint8_t *mvid = rd_take(r, MVID_LEN);
    uint64_t plan_hash = rd_u64(r);
    uint32_t count = rd_u32(r);
    (void)rd_u32(r);
    if (mvid == NULL || r->failed || count > rd_left(r) / 8)
        return err_set(err, ERR_FORMAT, "it ends at byte %zu, in the middle", r->len);
    struct baseline_group *group = list_add(&out->groups, sizeof *group, arena, err);
    uint64_t *sums = ARENA_NEW(arena, uint64_t, count, err);
    if (group == NULL || sums == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        sums[i] = rd_u64(r);
    *group = (struct baseline_group){.plan_hash = plan_hash, .count = count, .sums = sums};
    memcpy(group->mvid, mvid, MVID_LEN);
    return true;
}

bool baseline_parse(struct baseline *out, struct view file, struct arena *arena, struct err *err)
{
    struct reader r = rd_view(file);
    *out = (struct baseline){.since = 0};
    const uint8_t *magic = rd_take(&r, MAGIC_LEN);
    uint32_t version = rd_u32(&r), group_count = rd_u32(&r);
    int64_t since = (int64_t)rd_u64(&r);
    const uint8_t *id = rd_take(&r, sizeof out->id);
    if (magic == NULL || id == NULL || r.failed || memcmp(magic, BASELINE_MAGIC, MAGIC_LEN) != 0)
        return err_set(err, ERR_FORMAT, "it does not begin like a baseline");
    if (version != BASELINE_VERSION)
        return err_set(err, ERR_UNSUPPORTED, "its format is version %u; this program reads %d",
                       version, BASELINE_VERSION);
    if (since <= 0)
        return err_set(err, ERR_FORMAT, "it has no start time");
    out->since = since;
    memcpy(out->id, id, sizeof out->id);
    for (uint32_t i = 0; i < group_count; i++)
        if (!read_group(out, &r, arena, err))
            return false;
    return rd_left(&r) == 0 || err_set(err, ERR_FORMAT, "%zu bytes follow its end", rd_left(&r));
}

static bool baseline_path_of(char out[PATH_ROOM], const char *session, const char *name,
                             struct err *err)
{
    return path_join_in(out, str_of(session), str_of(name)) ||
           err_set(err, ERR_IO, "the path of session %s is too long", session);
}

bool baseline_read(struct baseline *out, const char *session, struct arena *arena, struct err *err)
{
    char path[PATH_ROOM];
    struct view file;
    *out = (struct baseline){.since = 0};
    if (!baseline_path_of(path, session, SESSION_BASELINE, err))
        return false;
    int fd = file_open(path, FILE_READ | FILE_NO_LINK);
    if (fd < 0 && errno == ENOENT)
        return true;
    bool ok = fd < 0 ? err_set_errno(err, "it cannot be opened")
                     : session_read_bytes(&file, fd, "it", BASELINE_LIMIT, arena, err) &&
                           baseline_parse(out, file, arena, err);
    (void)file_close(fd);
    if (!ok)
        err_prefix(err, "%s", path);
    return ok;
}

/* --- writing ---------------------------------------------------------------------------------- */

static void write_groups(struct writer *w, const struct baseline *baseline)
{
    const struct baseline_group *groups = baseline->groups.items;
    for (uint32_t i = 0; i < baseline->groups.count; i++) {
        wr_bytes(w, groups[i].mvid, MVID_LEN);
        wr_u64(w, groups[i].plan_hash);
        wr_u32(w, groups[i].count);
        wr_u32(w, 0);
        for (uint32_t k = 0; k < groups[i].count; k++)
            wr_u64(w, groups[i].sums[k]);
    }
}

/* Only the holder of the lock gets here: a file of this name was left by a process that was
 * killed. */
bool baseline_write(const struct baseline *baseline, const char *session, struct arena *arena,
                    struct err *err)
{
    char part[PATH_ROOM], path[PATH_ROOM];
    struct writer w = wr_in(arena);
    wr_bytes(&w, BASELINE_MAGIC, MAGIC_LEN);
    wr_u32(&w, BASELINE_VERSION);
    wr_u32(&w, baseline->groups.count);
    wr_u64(&w, (uint64_t)baseline->since);
    wr_bytes(&w, baseline->id, sizeof baseline->id);
    write_groups(&w, baseline);
    if (w.failed)
        return err_set(err, ERR_MEMORY, "no memory for a baseline");
    if (!baseline_path_of(part, session, SESSION_BASELINE_PART, err) ||
        !baseline_path_of(path, session, SESSION_BASELINE, err))
        return false;
    (void)file_remove(part);
    int fd = file_open(part, FILE_WRITE | FILE_NEW | FILE_NO_LINK);
    bool written = session_write_new(fd, w.data, w.len, true);
    if (written && file_rename(part, path))
        return true;
    (void)err_set_errno(err, "%s cannot be written", written ? path : part);
    (void)file_remove(part);
    return false;
}

/* A file of its own, because readers of the session lock the directory (session_share). */
int baseline_lock(const char *session, struct err *err)
{
    char path[PATH_ROOM];
    errno = ENAMETOOLONG;
    int fd = path_join_in(path, str_of(session), STR(SESSION_BASELINE_LOCK))
                 ? file_open(path, FILE_READ | FILE_MAKE | FILE_NO_LINK)
                 : -1;
    enum file_locked locked = fd >= 0 ? file_lock_try(fd, FILE_LOCK_EXCLUSIVE) : FILE_LOCK_FAILED;
    if (locked == FILE_LOCKED)
        return fd;
    if (locked == FILE_LOCK_TAKEN)
        (void)err_set(err, ERR_IO, "session %s is being reset by another snapshot: try again",
                      session);
    else
        (void)err_set_errno(err, "session %s cannot be reset", session);
    (void)file_close(fd);
    return -1;
}

/* --- counting --------------------------------------------------------------------------------- */

static struct baseline_group *find_group(const struct baseline *baseline,
                                         const struct session_counters *counters)
{
    struct baseline_group *groups = baseline->groups.items;
    for (uint32_t i = 0; i < baseline->groups.count; i++)
        if (memcmp(groups[i].mvid, counters->mvid, MVID_LEN) == 0 &&
            groups[i].plan_hash == counters->plan_hash &&
            groups[i].count == counters->counter_count)
            return &groups[i];
    return NULL;
}

/* Counters only grow. If a counter file was lost, the result is 0 rather than a huge number. */
void baseline_subtract(uint64_t *sums, const struct baseline *baseline,
                       const struct session_counters *counters)
{
    const struct baseline_group *group = find_group(baseline, counters);
    for (uint32_t i = 0; group != NULL && i < group->count; i++)
        sums[i] -= sums[i] > group->sums[i] ? group->sums[i] : sums[i];
}

bool baseline_put(struct baseline *baseline, const struct session_counters *counters,
                  const uint64_t *sums, struct arena *arena, struct err *err)
{
    struct baseline_group *group = find_group(baseline, counters);
    size_t len = counters->counter_count * sizeof *sums;
    uint64_t *copy = ARENA_NEW(arena, uint64_t, counters->counter_count, err);
    if (group == NULL)
        group = list_add(&baseline->groups, sizeof *group, arena, err);
    if (group == NULL || copy == NULL)
        return false;
    if (len != 0)
        memcpy(copy, sums, len);
    *group = (struct baseline_group){
        .plan_hash = counters->plan_hash, .count = counters->counter_count, .sums = copy};
    memcpy(group->mvid, counters->mvid, MVID_LEN);
    return true;
}

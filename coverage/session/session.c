/* Reads the directory of a session. session_files.c parses the files; the formats are drawn
 * in contract/session_format.h. */
#include "coverage/session/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hex.h"
#include "base/list.h"
#include "base/number.h"
#include "base/path.h"
#include "base/sort.h"
#include "contract/session_format.h"
#include "system/file.h"
#include "system/file_status.h"
#include "system/folder.h"
#include "system/user.h"

/* --- reading the directory -------------------------------------------------------------------- */

struct session_scan {
    struct session *session;
    struct str path;
    int folder;           /* open */
    struct list names;    /* const char * */
    struct list warnings; /* struct str */
    struct arena *arena;
    struct err *err;
};

/* Opens regular files only: a pipe would hang, a link could lead elsewhere. */
static int open_session_file(int folder, const char *name, uint64_t *len, struct err *err)
{
    int fd = file_open_in(folder, name, FILE_READ | FILE_NO_LINK);
    if (fd < 0) {
        (void)err_set_errno(err, "it cannot be opened");
        return -1;
    }
    struct file_status status;
    if (!file_status_open(&status, fd) || status.kind != FILE_IS_REGULAR) {
        (void)err_set(err, ERR_FORMAT, "it is not a regular file");
        (void)file_close(fd);
        return -1;
    }
    *len = status.size;
    return fd;
}

static bool add_warning(struct session_scan *scan, const char *name, const struct err *warning)
{
    struct str *added = list_add(&scan->warnings, sizeof *added, scan->arena, scan->err);
    return added != NULL &&
           text_format(added, scan->arena, scan->err, "session file %s: %s", name, warning->text);
}

static bool file_path(struct str *out, const struct session_scan *scan, const char *name,
                      struct err *err)
{
    return path_join(out, scan->path, str_of(name), scan->arena, err);
}

/* Up to `limit` bytes of a file. */
static bool read_whole_session_file(struct view *out, struct session_scan *scan, int fd,
                                    uint64_t len, uint64_t limit, struct err *err)
{
    if (len > limit)
        return err_set(err, ERR_LIMIT, "it has %llu bytes; at most %llu are possible",
                       (unsigned long long)len, (unsigned long long)limit);
    uint8_t *data = arena_raw(scan->arena, (size_t)len, 1, err);
    *out = (struct view){data, (size_t)len};
    return data != NULL &&
           (file_read_at(data, (size_t)len, fd, 0) || err_set_errno(err, "it cannot be read"));
}

static bool read_process(struct session_scan *scan, int fd, uint64_t len, const char *name,
                         struct err *err)
{
    struct session_process *process = &scan->session->processes[scan->session->process_count];
    struct view file;
    if (!read_whole_session_file(&file, scan, fd, len, SESSION_RECORD_LIMIT, err) ||
        !session_parse_process(process, str_of(name), file, scan->arena, err))
        return false;
    scan->session->process_count++;
    return true;
}

static bool read_counters(struct session_scan *scan, int fd, uint64_t len, const char *name,
                          struct err *err)
{
    struct session_counters *counters = &scan->session->counters[scan->session->counters_count];
    uint8_t header[COUNTERS_HEADER_LEN];
    if (len == 0)
        return true; /* its process was killed before it counted anything */
    if (len < sizeof header)
        return err_set(err, ERR_FORMAT, "it has %llu bytes, fewer than its header of %d",
                       (unsigned long long)len, COUNTERS_HEADER_LEN);
    if (!file_read_at(header, sizeof header, fd, 0))
        return err_set_errno(err, "it cannot be read");
    if (load_u32(header + COUNTERS_AT_READY) == 0)
        return true; /* killed before that, too */
    uint64_t head_len = load_u64(header + COUNTERS_AT_SHARDS);
    if (head_len > len || head_len > SESSION_HEAD_LIMIT || head_len < sizeof header)
        head_len = sizeof header; /* enough to refuse it with the right reason */
    struct view head;
    struct file_status status;
    if (!read_whole_session_file(&head, scan, fd, head_len, head_len, err))
        return false;
    if (!file_status_open(&status, fd))
        return err_set_errno(err, "it cannot be read");
    /* it may have grown until its head was read, not after */
    if (!session_parse_counters(counters, str_of(name), head, status.size, err) ||
        !file_path(&counters->file, scan, name, err))
        return false;
    scan->session->counters_count++;
    return true;
}

static bool note_module(struct session_scan *scan, int fd, uint64_t len, const char *name,
                        struct err *err)
{
    (void)fd;
    if (len == 0)
        return true;
    struct session *session = scan->session;
    return file_path(&session->module_copies[session->module_copy_count++], scan, name, err);
}

static bool read_warnings(struct session_scan *scan, int fd, uint64_t len, const char *name,
                          struct err *err)
{
    (void)name;
    struct session *session = scan->session;
    struct view file;
    len = number_min(len, SESSION_WARNINGS_LIMIT);
    return read_whole_session_file(&file, scan, fd, len, len, err) &&
           session_parse_warnings(&session->losses, &session->loss_count, file, scan->arena, err);
}

static bool read_hits(struct session_scan *scan, int fd, uint64_t len, const char *name,
                      struct err *err)
{
    struct session *session = scan->session;
    struct view file;
    if (!read_whole_session_file(&file, scan, fd, len, SESSION_HITS_LIMIT, err) ||
        !session_parse_hits(&session->hits[session->hits_count], str_of(name), file, scan->arena,
                            err))
        return false;
    session->hits_count++;
    return true;
}

/* After the hits of the same process, by name. */
static bool read_contexts(struct session_scan *scan, int fd, uint64_t len, const char *name,
                          struct err *err)
{
    struct session *session = scan->session;
    struct str process = {name + strlen(SESSION_CONTEXTS), strlen(name) - strlen(SESSION_CONTEXTS)};
    struct view file;
    for (uint32_t i = 0; i < session->hits_count; i++)
        if (str_eq(session->hits[i].process, process))
            return read_whole_session_file(&file, scan, fd, len, SESSION_HITS_LIMIT, err) &&
                   session_parse_contexts(&session->hits[i], file, err);
    return true;
}

static const struct {
    const char *prefix, *suffix;
    bool (*read)(struct session_scan *scan, int fd, uint64_t len, const char *name,
                 struct err *err);
} file_kinds[] = {
    {SESSION_PROCESS, "", read_process}, {"", SESSION_COUNTS, read_counters},
    {"", SESSION_MODULE, note_module},   {SESSION_WARNINGS, "", read_warnings},
    {SESSION_HITS, "", read_hits},       {SESSION_CONTEXTS, "", read_contexts},
};

/* A damaged file does not stop the others; only lack of memory does. */
static bool read_session_file(struct session_scan *scan, const char *name)
{
    size_t kind = 0;
    while (kind < ARRAY_LEN(file_kinds) && (!str_starts(str_of(name), file_kinds[kind].prefix) ||
                                            !str_ends(str_of(name), file_kinds[kind].suffix)))
        kind++;
    if (kind == ARRAY_LEN(file_kinds))
        return true;
    struct err warning = {0};
    uint64_t len = 0;
    int fd = open_session_file(scan->folder, name, &len, &warning);
    bool ok = fd >= 0 && file_kinds[kind].read(scan, fd, len, name, &warning);
    (void)file_close(fd);
    if (ok)
        return true;
    if (warning.code == ERR_MEMORY)
        return err_set(scan->err, ERR_MEMORY, "%s", warning.text);
    return add_warning(scan, name, &warning);
}

static int order_file_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool add_session_name(void *context, const char *name)
{
    struct session_scan *scan = context;
    const char **added = list_add(&scan->names, sizeof *added, scan->arena, scan->err);
    if (added != NULL)
        *added = arena_copy_text(scan->arena, name, strlen(name), scan->err);
    return added != NULL && *added != NULL;
}

/* The names of all files, sorted, because a directory lists them in arbitrary order. */
static bool list_session_names(struct session_scan *scan)
{
    scan->names = (struct list){0};
    if (!folder_each_entry_in(scan->folder, add_session_name, scan))
        return false;
    if (errno != 0)
        return err_set_errno(scan->err, "session %.*s cannot be read", STR_ARGS(scan->path));
    if (scan->names.count != 0)
        qsort(scan->names.items, scan->names.count, sizeof(const char *), order_file_names);
    return true;
}

static bool is_record(const char *name)
{
    return str_starts(str_of(name), SESSION_PROCESS);
}

static bool read_listed_files(struct session_scan *scan, bool records)
{
    const char *const *names = scan->names.items;
    for (uint32_t i = 0; i < scan->names.count; i++)
        if (is_record(names[i]) == records && !read_session_file(scan, names[i]))
            return false;
    return true;
}

static bool read_records(struct session_scan *scan)
{
    struct session *session = scan->session;
    if (!list_session_names(scan))
        return false;
    session->processes =
        ARENA_NEW(scan->arena, struct session_process, scan->names.count, scan->err);
    return session->processes != NULL && read_listed_files(scan, true);
}

/* A session may be read while it is written. A record names a module only once its counter file
 * exists, so listing the directory again after reading the records finds the file. */
static bool read_files(struct session_scan *scan)
{
    struct session *session = scan->session;
    if (!read_records(scan) || !list_session_names(scan))
        return false;
    uint32_t count = scan->names.count;
    session->counters = ARENA_NEW(scan->arena, struct session_counters, count, scan->err);
    session->module_copies = ARENA_NEW(scan->arena, struct str, count, scan->err);
    session->hits = ARENA_NEW(scan->arena, struct session_hits, count, scan->err);
    if (session->counters == NULL || session->module_copies == NULL || session->hits == NULL ||
        !read_listed_files(scan, false))
        return false;
    session->warnings = scan->warnings.items;
    session->warning_count = scan->warnings.count;
    return true;
}

bool session_read(struct session *out, const char *path, struct arena *arena, struct err *err)
{
    *out = (struct session){0};
    int fd = file_open(path, FILE_READ | FILE_FOLDER);
    if (fd < 0)
        return err_set_errno(err, "session %s cannot be read", path);
    struct session_scan scan = {
        .session = out, .path = str_of(path), .folder = fd, .arena = arena, .err = err};
    bool ok = ownership_of_session(fd, err);
    if (!ok)
        err_prefix(err, "session %s cannot be used", path);
    ok = ok && read_files(&scan);
    (void)file_close(fd);
    return ok;
}

/* --- looking up ------------------------------------------------------------------------------- */

struct copy_name {
    char text[HEX_ROOM(16) + sizeof SESSION_MODULE];
};

static int order_copy(const void *copy, const void *name)
{
    return strcmp(path_file(*(const struct str *)copy).text,
                  ((const struct copy_name *)name)->text);
}

const struct str *session_module_copy(const struct session *session, const uint8_t mvid[16])
{
    struct copy_name name;
    char digits[HEX_ROOM(16)];
    (void)snprintf(name.text, sizeof name.text, "%s" SESSION_MODULE, hex_of(digits, mvid, 16));
    return sorted_find(&name, session->module_copies, session->module_copy_count,
                       sizeof *session->module_copies, order_copy);
}

ORDER(order_counters, struct session_counters, BY_BYTES(mvid))

bool session_has_counters(const struct session *session, const uint8_t mvid[16])
{
    struct session_counters key = {0};
    memcpy(key.mvid, mvid, sizeof key.mvid);
    return sorted_find(&key, session->counters, session->counters_count, sizeof key,
                       order_counters) != NULL;
}

uint64_t session_methods(const struct session_process *process)
{
    uint64_t methods = 0;
    for (uint32_t i = 0; i < process->instrumented_count; i++)
        methods += process->instrumented[i].methods;
    return methods;
}

/* --- counting --------------------------------------------------------------------------------- */

enum {
    CHUNK_LEN = 64 << 10
};

/* In hit mode a counter says whether, not how often: at most 1, whatever the byte. */
static uint64_t count_at(const uint8_t *data, size_t index, size_t size)
{
    return size == 8 ? load_u64(data + 8 * index) : data[index] != 0;
}

/* The counters from `done` on. */
typedef void take_counters(void *out, size_t done, const uint8_t *data, size_t count, size_t size);

static void add_counters(void *out, size_t done, const uint8_t *data, size_t count, size_t size)
{
    uint64_t *sums = (uint64_t *)out + done;
    for (size_t i = 0; i < count; i++)
        sums[i] = number_add(sums[i], count_at(data, i, size));
}

static void mark_counters(void *out, size_t done, const uint8_t *data, size_t count, size_t size)
{
    uint8_t *hit = (uint8_t *)out + done;
    for (size_t i = 0; i < count; i++)
        hit[i] |= count_at(data, i, size) != 0;
}

static bool read_shard(int fd, uint32_t shard, const struct session_counters *counters,
                       take_counters *take, void *out)
{
    _Alignas(8) uint8_t chunk[CHUNK_LEN];
    uint64_t offset = counters->shards_offset + shard * counters->shard_stride;
    size_t size = mode_counter_size(counters->mode);
    for (size_t done = 0; done < counters->counter_count;) {
        size_t count = CHUNK_LEN / size;
        if (count > counters->counter_count - done)
            count = counters->counter_count - done;
        if (!file_read_at(chunk, count * size, fd, offset + done * size))
            return false;
        take(out, done, chunk, count, size);
        done += count;
    }
    return true;
}

/* With pread, not a mapping: a file that shrinks meanwhile causes an error and not a SIGBUS. From
 * the last shard to the first: what a context loses while they are read goes to the shard of kept
 * hits, which is one of the first (profiler/contexts.h). */
static bool read_shards(uint32_t first, uint32_t end, const struct session_counters *counters,
                        take_counters *take, void *out, struct err *err)
{
    uint64_t len = 0;
    int fd = open_session_file(FILE_HERE, counters->file.text, &len, err);
    bool ok = fd >= 0;
    while (ok && end-- != first)
        ok = read_shard(fd, end, counters, take, out) || err_set_errno(err, "it cannot be read");
    (void)file_close(fd);
    if (!ok)
        err_prefix(err, "%.*s", STR_ARGS(counters->file));
    return ok;
}

bool session_add_hits(uint8_t *hit, const struct session_counters *counters, uint32_t shard,
                      struct err *err)
{
    return read_shards(shard, shard + 1, counters, mark_counters, hit, err);
}

bool session_add_counts(uint64_t *sums, const struct session_counters *counters, struct err *err)
{
    return read_shards(0, counters->shard_count, counters, add_counters, sums, err);
}

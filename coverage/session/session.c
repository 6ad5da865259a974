/* The directory of a session. What stands in its files is parsed in session_files.c; the formats
 * are drawn in contract/counters.h. */
#include "coverage/session/session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/number.h"
#include "contract/counters.h"
#include "contract/protocol.h"
#include "coverage/session/baseline.h"
#include "system/ownership.h"

enum {
    REMOVE_TRIES = 10,
    READERS_MS = 10 * 1000, /* that is waited for those who still read a session */
    READERS_STEP_MS = 20,
    TROUBLES_ROOM = 4096
};

/* --- making ----------------------------------------------------------------------------------- */

static bool write_all(int fd, struct str text)
{
    while (text.len != 0) {
        ssize_t n = write(fd, text.text, text.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text.text += n;
        text.len -= (size_t)n;
    }
    return true;
}

static bool write_config(const char *session, const struct session_config *config, struct err *err)
{
    char path[PATH_MAX];
    int len = snprintf(path, sizeof path, "%s/%s", session, SESSION_CONFIG);
    if (len < 0 || (size_t)len >= sizeof path)
        return err_set(err, ERR_IO, "the path is longer than %d bytes", PATH_MAX);
    struct arena arena;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    struct str text;
    bool ok = session_config_write(&text, config, &arena, err);
    if (ok) {
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        ok = fd >= 0 && write_all(fd, text);
        if (fd >= 0 && close(fd) != 0)
            ok = false;
        if (!ok)
            (void)err_set_errno(err, "its config cannot be written");
    }
    arena_free(&arena);
    return ok;
}

/* Room for a few lines is taken now, for when there is none. A file system that can't do that is
 * none that fills up at once. */
static bool make_troubles(const char *session, struct err *err)
{
    char path[PATH_MAX];
    int len = snprintf(path, sizeof path, "%s/%s", session, SESSION_TROUBLES);
    if (len < 0 || (size_t)len >= sizeof path)
        return err_set(err, ERR_IO, "the path is longer than %d bytes", PATH_MAX);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok =
        fd >= 0 && (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, TROUBLES_ROOM) == 0 || errno != ENOSPC);
    if (!ok)
        (void)err_set_errno(err, "its file of troubles cannot be made");
    if (fd >= 0)
        (void)close(fd);
    return ok;
}

/* File systems of another kind, such as VFAT, show every directory as everybody's, or as root's. */
static bool is_private(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 0777) == 0700;
}

static bool make_directory(char *path, size_t path_room, const char *parent, bool keep,
                           struct err *err)
{
    char real[PATH_MAX];
    if (realpath(parent, real) == NULL)
        return err_set_errno(err, "no session can be made in %s", parent);
    if (!ownership_of_parent(real, err)) {
        err_prefix(err, "no session can be made in %s", parent);
        return false;
    }
    int len =
        keep ? snprintf(path, path_room, "%s/" SESSION_NAME_KEPT "XXXXXX", real)
             : snprintf(path, path_room, "%s/" SESSION_NAME "%ld-XXXXXX", real, (long)getpid());
    if (len < 0 || (size_t)len >= path_room)
        return err_set(err, ERR_IO, "no session can be made in %s: its path is too long", parent);
    if (mkdtemp(path) == NULL || chmod(path, 0700) != 0)
        return err_set_errno(err, "no session can be made in %s", parent);
    if (is_private(path))
        return true;
    (void)rmdir(path);
    return err_set(err, ERR_UNSUPPORTED,
                   "no session can be made in %s: its file system keeps no owner and mode of a "
                   "directory; name another with --session-dir",
                   parent);
}

static bool make_session(char *path, size_t path_room, const char *parent,
                         const struct session_config *config, struct err *err)
{
    if (!make_directory(path, path_room, parent, config->keep, err))
        return false;
    if (write_config(path, config, err) && make_troubles(path, err))
        return true;
    err_prefix(err, "no session can be made in %s", parent);
    (void)session_remove(path, NULL);
    return false;
}

static bool has_room(const char *parent)
{
    struct statvfs fs;
    return statvfs(parent, &fs) == 0 &&
           (uint64_t)fs.f_bavail * fs.f_frsize >= (uint64_t)SESSION_ROOM_LEAST;
}

static bool make_somewhere(char *path, size_t path_room, const struct session_config *config,
                           struct err *err)
{
    const char *parents[] = {"/dev/shm", getenv("TMPDIR"), "/tmp"};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < ARRAY_LEN(parents); i++) {
            if (parents[i] != NULL && parents[i][0] != '\0' &&
                (pass == 1 || has_room(parents[i])) &&
                make_session(path, path_room, parents[i], config, err))
                return true;
        }
    }
    return false;
}

bool session_create(char *path, size_t path_room, const char *parent,
                    const struct session_config *config, struct err *err)
{
    return parent != NULL ? make_session(path, path_room, parent, config, err)
                          : make_somewhere(path, path_room, config, err);
}

pid_t session_owner(const char *name)
{
    size_t prefix = strlen(SESSION_NAME);
    if (strncmp(name, SESSION_NAME, prefix) != 0 || name[prefix] < '1' || name[prefix] > '9')
        return 0;
    char *end = NULL;
    errno = 0;
    long pid = strtol(name + prefix, &end, 10);
    return errno == 0 && pid <= INT_MAX && end[0] == '-' && strlen(end) == 7 ? (pid_t)pid : 0;
}

/* --- removing --------------------------------------------------------------------------------- */

static bool is_own_file(const char *name)
{
    struct str file = str_of(name);
    return str_is(file, SESSION_CONFIG) || str_starts(file, SESSION_PROCESS) ||
           str_is(file, SESSION_TROUBLES) || str_starts(file, SESSION_BASELINE) ||
           str_starts(file, SESSION_CONTROL) || str_ends(file, SESSION_COUNTS) ||
           str_ends(file, SESSION_MODULE) || str_ends(file, SESSION_PART);
}

static bool remove_files(const char *path, struct err *err)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (dir == NULL) {
        (void)err_set_errno(err, "session %s cannot be removed", path);
        if (fd >= 0)
            (void)close(fd);
        return false;
    }
    bool ok = true;
    for (struct dirent *entry = readdir(dir); entry != NULL && ok; entry = readdir(dir)) {
        if (is_own_file(entry->d_name) && unlinkat(fd, entry->d_name, 0) != 0 && errno != ENOENT)
            ok = err_set_errno(err, "session %s: %s cannot be removed", path, entry->d_name);
    }
    (void)closedir(dir);
    return ok;
}

/* They hold the directory (session_share). */
static void await_readers(const char *path)
{
    const struct timespec step = {.tv_nsec = READERS_STEP_MS * 1000000L};
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    for (int waited = 0; fd >= 0 && waited < READERS_MS; waited += READERS_STEP_MS) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            break;
        (void)nanosleep(&step, NULL);
    }
    if (fd >= 0)
        (void)close(fd);
}

/* A process that outlives the command may put one more file into it meanwhile: hence several tries.
 */
bool session_remove(const char *path, struct err *err)
{
    await_readers(path);
    for (unsigned i = 0; i < REMOVE_TRIES; i++) {
        if (!remove_files(path, err))
            return false;
        if (rmdir(path) == 0)
            return true;
        if (errno != ENOTEMPTY && errno != EEXIST)
            break;
    }
    return err_set_errno(err, "session %s cannot be removed", path);
}

/* --- reading the directory -------------------------------------------------------------------- */

struct scan {
    struct session *session;
    struct str path;
    int dir_fd;
    struct list troubles; /* struct str */
    struct arena *arena;
    struct err *err;
};

static bool read_at(int fd, void *data, size_t len, uint64_t offset)
{
    for (size_t done = 0; done < len;) {
        ssize_t n = pread(fd, (uint8_t *)data + done, len - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            if (n == 0)
                errno = ENODATA;
            return false;
        }
        done += (size_t)n;
    }
    return true;
}

/* Only a plain file is opened: a pipe would hang, a link lead elsewhere. */
static int open_file(int dir_fd, const char *name, uint64_t *len, struct err *err)
{
    int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        (void)err_set_errno(err, "it cannot be opened");
        return -1;
    }
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        (void)err_set(err, ERR_FORMAT, "it is no plain file");
        (void)close(fd);
        return -1;
    }
    *len = (uint64_t)status.st_size;
    return fd;
}

static bool add_trouble(struct scan *scan, const char *name, const struct err *trouble)
{
    struct str *added = list_add(&scan->troubles, sizeof *added, scan->arena, scan->err);
    return added != NULL &&
           text_format(added, scan->arena, scan->err, "session file %s: %s", name, trouble->text);
}

static bool file_path(struct str *out, const struct scan *scan, const char *name, struct err *err)
{
    return text_format(out, scan->arena, err, "%.*s/%s", STR_ARGS(scan->path), name);
}

static bool read_process(struct scan *scan, int fd, uint64_t len, const char *name, struct err *err)
{
    struct session_process *process = &scan->session->processes[scan->session->process_count];
    if (len > SESSION_RECORD_LIMIT)
        return err_set(err, ERR_LIMIT, "it has %llu bytes; at most %d are possible",
                       (unsigned long long)len, SESSION_RECORD_LIMIT);
    uint8_t *data = arena_raw(scan->arena, (size_t)len, 1, err);
    if (data == NULL)
        return false;
    if (!read_at(fd, data, (size_t)len, 0))
        return err_set_errno(err, "it cannot be read");
    if (!session_parse_process(process, str_of(name), (struct view){data, (size_t)len}, scan->arena,
                               err))
        return false;
    scan->session->process_count++;
    return true;
}

static bool read_counters(struct scan *scan, int fd, uint64_t len, const char *name,
                          struct err *err)
{
    struct session_counters *counters = &scan->session->counters[scan->session->counters_count];
    uint8_t header[COUNTERS_HEADER_LEN];
    if (len == 0)
        return true; /* its process was killed before it had counted anything */
    if (len < sizeof header)
        return err_set(err, ERR_FORMAT, "it has %llu bytes, fewer than its header of %d",
                       (unsigned long long)len, COUNTERS_HEADER_LEN);
    if (!read_at(fd, header, sizeof header, 0))
        return err_set_errno(err, "it cannot be read");
    if (load_u32(header + COUNTERS_AT_READY) == 0)
        return true; /* likewise */
    uint64_t head_len = load_u64(header + COUNTERS_AT_SHARDS);
    if (head_len > len || head_len > SESSION_HEAD_LIMIT || head_len < sizeof header)
        head_len = sizeof header; /* to be refused for what it is */
    uint8_t *head = arena_raw(scan->arena, (size_t)head_len, 1, err);
    if (head == NULL)
        return false;
    if (!read_at(fd, head, (size_t)head_len, 0))
        return err_set_errno(err, "it cannot be read");
    if (!session_parse_counters(counters, str_of(name), (struct view){head, (size_t)head_len}, len,
                                err) ||
        !file_path(&counters->file, scan, name, err))
        return false;
    scan->session->counters_count++;
    return true;
}

static bool note_module(struct scan *scan, int fd, uint64_t len, const char *name, struct err *err)
{
    (void)fd;
    if (len == 0)
        return true;
    struct session *session = scan->session;
    return file_path(&session->module_copies[session->module_copy_count++], scan, name, err);
}

static bool read_troubles(struct scan *scan, int fd, uint64_t len, const char *name,
                          struct err *err)
{
    (void)name;
    struct session *session = scan->session;
    size_t taken = len < SESSION_TROUBLES_LIMIT ? (size_t)len : SESSION_TROUBLES_LIMIT;
    uint8_t *data = arena_raw(scan->arena, taken, 1, err);
    if (data == NULL)
        return false;
    if (!read_at(fd, data, taken, 0))
        return err_set_errno(err, "it cannot be read");
    return session_parse_troubles(&session->losses, &session->loss_count,
                                  (struct view){data, taken}, scan->arena, err);
}

static const struct {
    const char *prefix, *suffix;
    bool (*read)(struct scan *scan, int fd, uint64_t len, const char *name, struct err *err);
} file_kinds[] = {
    {SESSION_PROCESS, "", read_process},
    {"", SESSION_COUNTS, read_counters},
    {"", SESSION_MODULE, note_module},
    {SESSION_TROUBLES, "", read_troubles},
};

/* A file's trouble is the file's; only memory is everybody's. */
static bool read_file(struct scan *scan, const char *name)
{
    size_t kind = 0;
    while (kind < ARRAY_LEN(file_kinds) && (!str_starts(str_of(name), file_kinds[kind].prefix) ||
                                            !str_ends(str_of(name), file_kinds[kind].suffix)))
        kind++;
    if (kind == ARRAY_LEN(file_kinds))
        return true;
    struct err trouble = {0};
    uint64_t len = 0;
    int fd = open_file(scan->dir_fd, name, &len, &trouble);
    bool ok = fd >= 0 && file_kinds[kind].read(scan, fd, len, name, &trouble);
    if (fd >= 0)
        (void)close(fd);
    if (ok)
        return true;
    if (trouble.code == ERR_MEMORY)
        return err_set(scan->err, ERR_MEMORY, "%s", trouble.text);
    return add_trouble(scan, name, &trouble);
}

struct name_list {
    const char *name;
    struct name_list *next;
};

static int order_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The names of all files, ascending: a directory gives them in an order of its own. */
static bool list_names(const char ***out, size_t *count, DIR *dir, struct arena *arena,
                       struct err *err)
{
    struct name_list *newest = NULL;
    *count = 0;
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        struct name_list *item = ARENA_NEW(arena, struct name_list, 1, err);
        char *name = arena_copy_text(arena, entry->d_name, strlen(entry->d_name), err);
        if (item == NULL || name == NULL)
            return false;
        *item = (struct name_list){.name = name, .next = newest};
        newest = item;
        ++*count;
    }
    const char **names = ARENA_NEW(arena, const char *, *count, err);
    if (names == NULL)
        return false;
    for (size_t i = 0; newest != NULL; newest = newest->next)
        names[i++] = newest->name;
    qsort(names, *count, sizeof *names, order_names);
    *out = names;
    return true;
}

static bool is_record(const char *name)
{
    return str_starts(str_of(name), SESSION_PROCESS);
}

static bool read_all(struct scan *scan, const char **names, size_t count, bool records)
{
    for (size_t i = 0; i < count; i++)
        if (is_record(names[i]) == records && !read_file(scan, names[i]))
            return false;
    return true;
}

static bool read_records(struct scan *scan, DIR *dir)
{
    struct session *session = scan->session;
    const char **names = NULL;
    size_t count = 0;
    if (!list_names(&names, &count, dir, scan->arena, scan->err))
        return false;
    session->processes = ARENA_NEW(scan->arena, struct session_process, count, scan->err);
    return session->processes != NULL && read_all(scan, names, count, true);
}

/* A session may be read while it is written. A record names a module when its counter file is there:
 * who lists the directory again behind reading the records finds it. */
static bool read_files(struct scan *scan, DIR *dir)
{
    struct session *session = scan->session;
    const char **names = NULL;
    size_t count = 0;
    if (!read_records(scan, dir))
        return false;
    rewinddir(dir);
    if (!list_names(&names, &count, dir, scan->arena, scan->err))
        return false;
    session->counters = ARENA_NEW(scan->arena, struct session_counters, count, scan->err);
    session->module_copies = ARENA_NEW(scan->arena, struct str, count, scan->err);
    if (session->counters == NULL || session->module_copies == NULL ||
        !read_all(scan, names, count, false))
        return false;
    session->troubles = scan->troubles.items;
    session->trouble_count = scan->troubles.count;
    return true;
}

bool session_read(struct session *out, const char *path, struct arena *arena, struct err *err)
{
    *out = (struct session){0};
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (dir == NULL) {
        (void)err_set_errno(err, "session %s cannot be read", path);
        if (fd >= 0)
            (void)close(fd);
        return false;
    }
    if (!ownership_of_session(fd, err)) {
        err_prefix(err, "session %s cannot be used", path);
        (void)closedir(dir);
        return false;
    }
    struct scan scan = {
        .session = out, .path = str_of(path), .dir_fd = fd, .arena = arena, .err = err};
    bool ok = read_files(&scan, dir);
    (void)closedir(dir);
    return ok;
}

/* --- counting --------------------------------------------------------------------------------- */

enum {
    CHUNK_LEN = 64 << 10
};

static void add_words(uint64_t *sums, const uint8_t *data, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sums[i] = number_add(sums[i], load_u64(data + 8 * i));
}

/* In hit mode a counter is whether, not how often: 1 at most, whatever the byte. */
static void add_bytes(uint64_t *sums, const uint8_t *data, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sums[i] = number_add(sums[i], data[i] != 0);
}

static bool add_shard(uint64_t *sums, int fd, uint64_t offset,
                      const struct session_counters *counters)
{
    _Alignas(8) uint8_t chunk[CHUNK_LEN];
    size_t size = mode_counter_size(counters->mode);
    for (size_t done = 0; done < counters->counter_count;) {
        size_t count = CHUNK_LEN / size;
        if (count > counters->counter_count - done)
            count = counters->counter_count - done;
        if (!read_at(fd, chunk, count * size, offset + done * size))
            return false;
        if (size == 8)
            add_words(sums + done, chunk, count);
        else
            add_bytes(sums + done, chunk, count);
        done += count;
    }
    return true;
}

uint64_t session_methods(const struct session_process *process)
{
    uint64_t methods = 0;
    for (uint32_t i = 0; i < process->covered_count; i++)
        methods += process->covered[i].methods;
    return methods;
}

/* By pread and not by a mapping: a file that shrinks meanwhile is an error and no SIGBUS. */
bool session_add_counts(uint64_t *sums, const struct session_counters *counters, struct err *err)
{
    uint64_t len = 0;
    int fd = open_file(AT_FDCWD, counters->file.text, &len, err);
    if (fd < 0) {
        err_prefix(err, "%.*s", STR_ARGS(counters->file));
        return false;
    }
    bool ok = true;
    for (uint32_t k = 0; ok && k < counters->shard_count; k++) {
        uint64_t offset = counters->shards_offset + k * counters->shard_stride;
        ok = add_shard(sums, fd, offset, counters) || err_set_errno(err, "it cannot be read");
    }
    (void)close(fd);
    if (!ok)
        err_prefix(err, "%.*s", STR_ARGS(counters->file));
    return ok;
}

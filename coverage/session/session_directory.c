#include "coverage/session/session_directory.h"

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

#include "base/path.h"
#include "contract/protocol.h"
#include "contract/session_format.h"
#include "coverage/session/baseline.h"
#include "system/ownership.h"

enum {
    REMOVE_TRIES = 10,
    READERS_MS = 10 * 1000, /* to wait for processes that still read the session */
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
    char path[PATH_ROOM];
    int len = snprintf(path, sizeof path, "%s/%s", session, SESSION_CONFIG);
    if (len < 0 || (size_t)len >= sizeof path)
        return err_set(err, ERR_IO, "the path is longer than %d bytes", PATH_ROOM);
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

/* Reserves space for a few lines now, in case the file system fills up later. A file system that
 * can't reserve space does not fill up that quickly. */
static bool make_troubles(const char *session, struct err *err)
{
    char path[PATH_ROOM];
    int len = snprintf(path, sizeof path, "%s/%s", session, SESSION_TROUBLES);
    if (len < 0 || (size_t)len >= sizeof path)
        return err_set(err, ERR_IO, "the path is longer than %d bytes", PATH_ROOM);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok =
        fd >= 0 && (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, TROUBLES_ROOM) == 0 || errno != ENOSPC);
    if (!ok)
        (void)err_set_errno(err, "its file of troubles cannot be created");
    if (fd >= 0)
        (void)close(fd);
    return ok;
}

/* Some file systems, such as VFAT, show every directory as writable by everybody, or as owned by
 * root. */
static bool is_private(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 0777) == 0700;
}

static bool make_directory(char *path, size_t path_room, const char *parent, bool keep,
                           struct err *err)
{
    char real[PATH_ROOM];
    if (realpath(parent, real) == NULL)
        return err_set_errno(err, "cannot create a session in %s", parent);
    if (!ownership_of_parent(real, err)) {
        err_prefix(err, "cannot create a session in %s", parent);
        return false;
    }
    int len =
        keep ? snprintf(path, path_room, "%s/" SESSION_NAME_KEPT "XXXXXX", real)
             : snprintf(path, path_room, "%s/" SESSION_NAME "%ld-XXXXXX", real, (long)getpid());
    if (len < 0 || (size_t)len >= path_room)
        return err_set(err, ERR_IO, "cannot create a session in %s: its path is too long", parent);
    if (mkdtemp(path) == NULL || chmod(path, 0700) != 0)
        return err_set_errno(err, "cannot create a session in %s", parent);
    if (is_private(path))
        return true;
    (void)rmdir(path);
    return err_set(err, ERR_UNSUPPORTED,
                   "cannot create a session in %s: its file system does not keep the owner and "
                   "mode of directories; choose another directory with --session-dir",
                   parent);
}

static bool make_session(char *path, size_t path_room, const char *parent,
                         const struct session_config *config, struct err *err)
{
    if (!make_directory(path, path_room, parent, config->keep, err))
        return false;
    if (write_config(path, config, err) && make_troubles(path, err))
        return true;
    err_prefix(err, "cannot create a session in %s", parent);
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

int session_owner(const char *name)
{
    size_t prefix = strlen(SESSION_NAME);
    if (strncmp(name, SESSION_NAME, prefix) != 0 || name[prefix] < '1' || name[prefix] > '9')
        return 0;
    char *end = NULL;
    errno = 0;
    long pid = strtol(name + prefix, &end, 10);
    return errno == 0 && pid <= INT_MAX && end[0] == '-' && strlen(end) == 7 ? (int)pid : 0;
}

/* --- keeping ---------------------------------------------------------------------------------- */

bool session_kept_name(char out[PATH_ROOM], const char *path)
{
    struct str name = path_file(str_of(path));
    if (session_owner(name.text) == 0)
        return false;
    const char *letters = name.text + name.len - 6; /* mkdtemp's */
    int len = snprintf(out, PATH_ROOM, "%.*s" SESSION_NAME_KEPT "%s", (int)(name.text - path), path,
                       letters);
    return len > 0 && len < PATH_ROOM;
}

void session_keep(char path[PATH_ROOM])
{
    char kept[PATH_ROOM];
    if (session_kept_name(kept, path) && rename(path, kept) == 0)
        memcpy(path, kept, strlen(kept) + 1);
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

/* Readers hold a lock on the directory (session_share). */
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

/* A process that outlives the command may add another file meanwhile: hence several tries.
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

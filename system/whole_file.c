#include "system/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "system/file.h"
#include "system/output_path.h"
#include "system/temporary_file.h"

enum {
    FOLDERS_GONE_MAX = 100 /* times in a row that others removed the folders of a new file */
};

static bool open_device(struct output *out, const char *path, struct err *err)
{
    out->fd = open(path, O_WRONLY | O_CLOEXEC);
    return out->fd >= 0 || err_set_errno(err, "cannot be opened for writing");
}

/* --- the copy --------------------------------------------------------------------------------- */

static bool create_temporary(struct output *out, const char *folder, int folder_len,
                             struct err *err)
{
    struct temporary_file file;
    struct str in = {folder, (size_t)folder_len};
    if (!out->skips_sweep)
        temporary_file_sweep(in);
    if (!temporary_file_create(&file, in))
        return errno == ENAMETOOLONG
                   ? err_set(err, ERR_IO, "the path is longer than %d bytes", PATH_ROOM)
                   : err_set_errno(err, "a temporary file beside it cannot be created");
    out->fd = file.fd;
    out->lock = file.lock;
    memcpy(out->temporary, file.path, sizeof out->temporary);
    return true;
}

/* For a file that may be written to, in a directory that may not. */
static bool create_elsewhere(struct output *out)
{
    const char *folders[] = {getenv("TMPDIR"), "/tmp", "/var/tmp", "/dev/shm"};
    mode_t umask_before = umask(0077);
    for (size_t i = 0; i < ARRAY_LEN(folders) && !out->is_elsewhere; i++)
        out->is_elsewhere = folders[i] != NULL && folders[i][0] != '\0' &&
                            create_temporary(out, folders[i], (int)strlen(folders[i]), NULL);
    (void)umask(umask_before);
    return out->is_elsewhere;
}

static bool create_copy(struct output *out, bool exists, struct err *err)
{
    int folder_len = (int)(strrchr(out->target, '/') - out->target);
    return create_temporary(out, out->target, folder_len, err) || (exists && create_elsewhere(out));
}

/* --- opening ---------------------------------------------------------------------------------- */

/* Permissions are not all: a file may be immutable, or on a file system that is read-only. */
static bool check_writable(const char *path, struct err *err)
{
    int fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return err_set_errno(err, "cannot be written");
    (void)close(fd);
    return true;
}

/* The permissions of the file that is replaced. */
static bool keep_mode(struct output *out, const struct stat *old, struct err *err)
{
    return out->is_elsewhere || fchmod(out->fd, old->st_mode & 0777) == 0 ||
           err_set_errno(err, "cannot keep its permissions");
}

static bool has_folder(const char *target)
{
    char folder[PATH_ROOM];
    return path_join_in(folder, path_dir(str_of(target)), STR("")) && access(folder, F_OK) == 0;
}

/* A new file. Another run that only looks whether it could write there makes the same folders, and
 * removes them again, perhaps before there is a file in them. */
static bool create_new(struct output *out, struct err *err)
{
    for (int again = FOLDERS_GONE_MAX;; again--) {
        struct err why = {.code = ERR_NONE};
        if (output_path_make_parents(&out->existing_len, out->target, &why) &&
            create_copy(out, false, &why))
            return true;
        if (again == 0 || has_folder(out->target)) {
            if (err != NULL)
                *err = why;
            return false;
        }
    }
}

static bool open_copy(struct output *out, const char *path, const struct stat *old, struct err *err)
{
    bool exists = old != NULL;
    if (exists && !check_writable(path, err))
        return false;
    if (exists && realpath(path, out->target) == NULL)
        return err_set_errno(err, "cannot be written");
    out->exists = exists;
    if (!exists)
        return output_path(out->target, path, err) && create_new(out, err);
    return create_copy(out, exists, err) && keep_mode(out, old, err);
}

static bool open_path(struct output *out, const char *path, struct err *err)
{
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (!exists && errno != ENOENT)
        return err_set_errno(err, "cannot be written");
    if (exists && S_ISDIR(old.st_mode))
        return err_set(err, ERR_IO, "is a directory");
    if (exists && !S_ISREG(old.st_mode))
        return open_device(out, path, err);
    if (open_copy(out, path, exists ? &old : NULL, err))
        return true;
    output_abandon(out);
    return false;
}

bool output_open(struct output *out, const char *path, struct err *err)
{
    *out = (struct output){.fd = -1, .lock = -1, .existing_len = SIZE_MAX};
    return open_path(out, path, err);
}

bool output_open_next(struct output *out, const char *path, struct err *err)
{
    *out = (struct output){.fd = -1, .lock = -1, .existing_len = SIZE_MAX, .skips_sweep = true};
    return open_path(out, path, err);
}

/* What makes an empty line after the end of a file. */
static const char *choose_empty_line(const char *path)
{
    static const char empty_line[] = "\n\n";
    char end;
    size_t newlines = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    off_t len = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    while (newlines < 2 && (off_t)newlines < len &&
           pread(fd, &end, 1, len - 1 - (off_t)newlines) == 1 && end == '\n')
        newlines++;
    (void)file_close(fd);
    return len == 0 ? "" : &empty_line[newlines];
}

bool output_append(struct output *out, struct err *err)
{
    out->appends = out->exists && out->temporary[0] != '\0';
    const char *separator = out->appends ? choose_empty_line(out->target) : "";
    if (file_write(out->fd, separator, strlen(separator)))
        return true;
    (void)err_set_errno(err, "cannot be written");
    output_abandon(out);
    return false;
}

/* --- the end ---------------------------------------------------------------------------------- */

static void release_lock(struct output *out)
{
    (void)file_close(out->lock);
    out->lock = -1;
}

static bool copy_bytes(int to, int from, bool appends)
{
    char buffer[1 << 16];
    for (;;) {
        int64_t len = file_read_some(from, buffer, sizeof buffer);
        if (len <= 0)
            return len == 0 && (appends || ftruncate(to, lseek(to, 0, SEEK_CUR)) == 0) &&
                   fsync(to) == 0;
        if (!file_write(to, buffer, (size_t)len))
            return false;
    }
}

/* The name no longer looks like something that a killed run left. */
static const char *keep_copy(struct output *out)
{
    char name[PATH_ROOM];
    size_t len = strlen(out->temporary) - strlen(".tmp");
    (void)snprintf(name, sizeof name, "%.*s.copy", (int)len, out->temporary);
    if (rename(out->temporary, name) == 0)
        memcpy(out->temporary, name, sizeof name);
    return out->temporary;
}

/* A file that is added to, or cannot be replaced, only written to: it is a mount of its own, its
 * directory is read-only, or is sticky while the file belongs to another user. */
static bool overwrite_target(struct output *out, struct err *err)
{
    int from = open(out->temporary, O_RDONLY | O_CLOEXEC);
    int to = open(out->target, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | (out->appends ? O_APPEND : 0));
    off_t before = to >= 0 ? lseek(to, 0, out->appends ? SEEK_END : SEEK_SET) : -1;
    bool ok = from >= 0 && before >= 0 && copy_bytes(to, from, out->appends);
    if (!ok) {
        int why = errno;
        if (out->appends && before >= 0 && ftruncate(to, before) != 0)
            why = errno;
        const char *copy = keep_copy(out);
        (void)err_set(err, ERR_IO, "cannot be written: %s; the finished copy is %s", strerror(why),
                      copy);
    }
    (void)file_close(from);
    if (to >= 0 && close(to) != 0 && ok)
        ok = err_set_errno(err, "cannot be written");
    if (ok)
        (void)unlink(out->temporary);
    out->temporary[0] = '\0';
    return ok;
}

static bool replace_target(struct output *out, struct err *err)
{
    if (!out->appends && !out->is_elsewhere && rename(out->temporary, out->target) == 0)
        return true;
    return out->exists ? overwrite_target(out, err) : err_set_errno(err, "cannot be written");
}

void output_skip_sync(struct output *out)
{
    out->skips_sync = true;
}

bool output_commit(struct output *out, struct err *err)
{
    bool is_device = out->temporary[0] == '\0';
    /* Without fsync, a crash of the machine may leave an empty file under the new name. */
    bool ok = is_device || out->skips_sync || fsync(out->fd) == 0;
    if (close(out->fd) != 0)
        ok = false;
    out->fd = -1;
    if (ok && !is_device)
        ok = replace_target(out, err);
    else if (!ok)
        (void)err_set_errno(err, "cannot be written");
    if (!ok)
        output_abandon(out);
    release_lock(out);
    return ok;
}

bool output_keep(struct output *out, struct err *err)
{
    bool ok = close(out->fd) == 0 || err_set_errno(err, "cannot be written");
    out->fd = -1;
    if (!ok)
        output_abandon(out);
    return ok;
}

void output_abandon(struct output *out)
{
    (void)file_close(out->fd);
    if (out->temporary[0] != '\0')
        (void)unlink(out->temporary);
    if (!out->exists)
        output_path_remove_parents(out->target, out->existing_len);
    release_lock(out);
    out->fd = -1;
    out->temporary[0] = '\0';
}

bool output_open_stream(struct output *out, FILE *stream, struct err *err)
{
    *out = (struct output){.fd = dup(fileno(stream)), .lock = -1};
    return out->fd >= 0 || err_set_errno(err, "cannot be written");
}

FILE *output_file(const struct output *out, struct err *err)
{
    int copy = dup(out->fd);
    FILE *file = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (file != NULL)
        return file;
    (void)err_set_errno(err, "cannot be written");
    (void)file_close(copy);
    return NULL;
}

bool output_is_terminal(const struct output *out)
{
    return isatty(out->fd) != 0;
}

bool output_stream_check(FILE *stream, struct err *err)
{
    int flags = fcntl(fileno(stream), F_GETFL);
    return (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY) ||
           err_set(err, ERR_IO, "is closed, or open for reading only");
}

/* Opening a pipe without a reader would block, so for anything but a file only the permissions are
 * checked. */
bool output_check(const char *path, struct err *err)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return access(path, W_OK) == 0 || err_set_errno(err, "cannot be written");
    struct output output;
    if (!output_open(&output, path, err))
        return false;
    output_abandon(&output);
    return true;
}

bool output_check_file(const char *path, struct err *err)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return err_set(err, ERR_IO, "is not a regular file");
    return output_check(path, err);
}

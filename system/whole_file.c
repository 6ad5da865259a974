#include "system/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NAMES_TRIED = 100
};

static bool open_device(struct output *out, const char *path, struct err *err)
{
    out->fd = open(path, O_WRONLY | O_CLOEXEC);
    return out->fd >= 0 || err_set_errno(err, "cannot be opened for writing");
}

static bool open_temporary(struct output *out, struct err *err)
{
    const char *slash = strrchr(out->target, '/');
    int folder_len = slash != NULL ? (int)(slash - out->target) + 1 : 0;
    for (unsigned i = 0; i < NAMES_TRIED; i++) {
        int len = snprintf(out->temporary, sizeof out->temporary, "%.*s.ilcov-%ld-%u.tmp",
                           folder_len, out->target, (long)getpid(), i);
        if (len < 0 || (size_t)len >= sizeof out->temporary)
            return err_set(err, ERR_IO, "the path is longer than %d bytes", PATH_MAX);
        out->fd = open(out->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (out->fd >= 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    return err_set_errno(err, "a temporary file beside it cannot be created");
}

bool output_open(struct output *out, const char *path, struct err *err)
{
    *out = (struct output){.fd = -1};
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (!exists && errno != ENOENT)
        return err_set_errno(err, "cannot be written");
    if (exists && S_ISDIR(old.st_mode))
        return err_set(err, ERR_IO, "is a directory");
    if (exists && !S_ISREG(old.st_mode))
        return open_device(out, path, err);
    if (exists && (access(path, W_OK) != 0 || realpath(path, out->target) == NULL))
        return err_set_errno(err, "cannot be written");
    if (!exists) {
        size_t len = strlen(path);
        if (len == 0 || len >= sizeof out->target)
            return err_set(err, ERR_IO, "a path of %zu bytes cannot be written", len);
        memcpy(out->target, path, len + 1);
    }
    if (!open_temporary(out, err))
        return false;
    if (exists && fchmod(out->fd, old.st_mode & 0777) != 0) {
        (void)err_set_errno(err, "cannot keep its permissions");
        output_abandon(out);
        return false;
    }
    return true;
}

bool output_commit(struct output *out, struct err *err)
{
    bool is_device = out->temporary[0] == '\0';
    /* Without fsync, a crash of the machine may leave an empty file under the new name. */
    if (!is_device && fsync(out->fd) != 0) {
        (void)err_set_errno(err, "cannot be written");
        output_abandon(out);
        return false;
    }
    bool closed = close(out->fd) == 0;
    out->fd = -1;
    if (!closed || (!is_device && rename(out->temporary, out->target) != 0)) {
        (void)err_set_errno(err, "cannot be written");
        output_abandon(out);
        return false;
    }
    return true;
}

void output_abandon(struct output *out)
{
    if (out->fd >= 0)
        (void)close(out->fd);
    if (out->temporary[0] != '\0')
        (void)unlink(out->temporary);
    out->fd = -1;
    out->temporary[0] = '\0';
}

bool output_open_stream(struct output *out, FILE *stream, struct err *err)
{
    *out = (struct output){.fd = dup(fileno(stream))};
    return out->fd >= 0 || err_set_errno(err, "cannot be written");
}

FILE *output_file(const struct output *out, struct err *err)
{
    int copy = dup(out->fd);
    FILE *file = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (file != NULL)
        return file;
    (void)err_set_errno(err, "cannot be written");
    if (copy >= 0)
        (void)close(copy);
    return NULL;
}

bool output_is_terminal(const struct output *out)
{
    return isatty(out->fd) != 0;
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

#include "system/temporary_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "system/file.h"

#define NAME_START ".ilcov-"
#define NAME_END   ".tmp"

enum {
    NAMES_TRIED = 100
};

/* --- what killed processes left --------------------------------------------------------------- */

static bool is_temporary_name(const char *name)
{
    long pid = 0;
    unsigned n = 0;
    int len = 0;
    return sscanf(name, NAME_START "%ld-%u" NAME_END "%n", &pid, &n, &len) == 2 && len > 0 &&
           name[len] == '\0' && pid > 0;
}

/* A file system without locks refuses this one, too. */
static bool is_left_over(int folder, const char *name, int *fd)
{
    struct stat status;
    *fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    return *fd >= 0 && fstat(*fd, &status) == 0 && S_ISREG(status.st_mode) &&
           status.st_uid == geteuid() && flock(*fd, LOCK_EX | LOCK_NB) == 0;
}

void temporary_file_sweep(struct str folder)
{
    char text[PATH_ROOM];
    int len = snprintf(text, sizeof text, "%.*s/", STR_ARGS(folder));
    DIR *stream = len > 0 && (size_t)len < sizeof text ? opendir(text) : NULL;
    if (stream == NULL)
        return;
    for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
        int fd = -1;
        if (!is_temporary_name(entry->d_name))
            continue;
        if (is_left_over(dirfd(stream), entry->d_name, &fd))
            (void)unlinkat(dirfd(stream), entry->d_name, 0);
        (void)file_close(fd);
    }
    (void)closedir(stream);
}

/* --- a new one -------------------------------------------------------------------------------- */

/* False if another process removed the file before it was locked: it has no name left. */
static bool hold_lock(struct temporary_file *file)
{
    struct stat status;
    (void)flock(file->fd, LOCK_EX | LOCK_NB);
    file->lock = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
    return file->lock >= 0 && fstat(file->fd, &status) == 0 && status.st_nlink != 0;
}

static bool create_named(struct temporary_file *out, struct str folder, unsigned n)
{
    int len = snprintf(out->path, sizeof out->path, "%.*s/" NAME_START "%ld-%u" NAME_END,
                       STR_ARGS(folder), (long)getpid(), n);
    errno = ENAMETOOLONG;
    if (len < 0 || (size_t)len >= sizeof out->path)
        return false;
    out->fd = open(out->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (out->fd < 0)
        return false;
    if (hold_lock(out))
        return true;
    (void)close(out->fd);
    (void)file_close(out->lock);
    errno = EEXIST; /* another name may do */
    return false;
}

bool temporary_file_create(struct temporary_file *out, struct str folder)
{
    for (unsigned n = 0; n < NAMES_TRIED; n++) {
        *out = (struct temporary_file){.fd = -1, .lock = -1};
        if (create_named(out, folder, n))
            return true;
        if (errno != EEXIST)
            break;
    }
    *out = (struct temporary_file){.fd = -1, .lock = -1};
    return false;
}

void temporary_file_remove(struct temporary_file *file)
{
    (void)unlink(file->path);
    (void)close(file->fd);
    (void)close(file->lock);
}

const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder != NULL && *folder != '\0' ? folder : "/tmp";
}

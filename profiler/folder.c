#include "profiler/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "contract/session_format.h"
#include "system/socket_address.h"

enum {
    OPEN_TRIES = 16 /* for a file that other processes create and remove at the same time */
};

/* --- descriptors ------------------------------------------------------------------------------ */

void kept_open(struct kept *out, int fd)
{
    struct stat st;
    *out = (struct kept){.fd = -1};
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0)
        *out = (struct kept){fd, st.st_dev, st.st_ino};
    else
        (void)close(fd);
}

int kept_fd(const struct kept *kept)
{
    struct stat st;
    bool ours = kept->fd >= 0 && fstat(kept->fd, &st) == 0 && st.st_dev == kept->device &&
                st.st_ino == kept->inode;
    return ours ? kept->fd : -1;
}

void kept_close(struct kept *kept)
{
    if (kept_fd(kept) >= 0)
        (void)close(kept->fd);
    kept->fd = -1;
}

/* If the target was started without standard streams, the library's file must not take their
 * place. */
static int above_streams(int fd)
{
    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    int above = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int why = errno;
    (void)close(fd);
    errno = why;
    return above;
}

/* --- the directory ---------------------------------------------------------------------------- */

void folder_open(struct folder *out, const char *path)
{
    (void)snprintf(out->path, sizeof out->path, "%s", path);
    kept_open(&out->directory,
              above_streams(open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)));
}

void folder_close(struct folder *folder)
{
    kept_close(&folder->directory);
}

/* Arguments of the *at() functions: the directory and a name in it; without a kept directory, the
 * whole path. */
struct place {
    int directory;
    char name[FOLDER_PATH_MAX + 256];
};

static bool find_place(struct place *out, const struct folder *folder, const char *name)
{
    out->directory = kept_fd(&folder->directory);
    bool whole = out->directory < 0;
    int len = snprintf(out->name, sizeof out->name, "%s%s%s", whole ? folder->path : "",
                       whole ? "/" : "", name);
    if (whole)
        out->directory = AT_FDCWD;
    if (len > 0 && (size_t)len < sizeof out->name)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

/* By the kept descriptor, or else by the path, which must be a directory. */
static bool stat_directory(struct stat *out, const struct folder *folder)
{
    int fd = kept_fd(&folder->directory);
    if (fd >= 0)
        return fstat(fd, out) == 0;
    if (lstat(folder->path, out) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(out->st_mode);
}

/* A directory that was found again by its path must be the same as before. */
static bool is_safe(const struct folder *folder, const struct stat *st)
{
    bool is_same = folder->directory.inode == 0 || (st->st_dev == folder->directory.device &&
                                                    st->st_ino == folder->directory.inode);
    return is_same && st->st_uid == geteuid() && (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool folder_check(const struct folder *folder, struct err *err)
{
    struct stat st;
    if (!stat_directory(&st, folder))
        return err_set_errno(err, "the session %s can't be used", folder->path);
    if (is_safe(folder, &st))
        return true;
    if (st.st_uid != geteuid())
        return err_set(err, ERR_IO, "the session %s belongs to user %u, this process to user %u",
                       folder->path, (unsigned)st.st_uid, (unsigned)geteuid());
    return err_set(err, ERR_IO, "the session %s may be written by others (mode %03o)", folder->path,
                   (unsigned)st.st_mode & 0777);
}

/* The descriptor, if it is a regular file with one name that only `owner` may write to; else -1. */
static int only_of(int fd, uid_t owner)
{
    struct stat st;
    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == owner && st.st_nlink <= 1 &&
        (st.st_mode & (S_IWGRP | S_IWOTH)) == 0)
        return fd;
    (void)close(fd);
    errno = EACCES;
    return -1;
}

/* Never blocks, for example on a pipe. */
static int open_place(const struct place *place, int flags)
{
    return above_streams(
        openat(place->directory, place->name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
}

static bool find_safe_place(struct place *out, const struct folder *folder, const char *name)
{
    struct stat st;
    if (!find_place(out, folder, name) || !stat_directory(&st, folder))
        return false;
    errno = EACCES;
    return is_safe(folder, &st);
}

int folder_file(const struct folder *folder, const char *name, int flags)
{
    struct place place;
    int fd = -1;
    if (!find_safe_place(&place, folder, name))
        return -1;
    for (unsigned i = 0; i < OPEN_TRIES && fd < 0; i++) {
        errno = ENOENT;
        if ((flags & O_EXCL) == 0)
            fd = only_of(open_place(&place, flags & ~O_CREAT), geteuid());
        if (fd < 0 && errno == ENOENT && (flags & O_CREAT) != 0)
            fd = open_place(&place, flags | O_EXCL);
        if (fd < 0 && (errno != EEXIST || (flags & O_EXCL) != 0))
            break;
    }
    return fd;
}

int folder_troubles(const struct folder *folder)
{
    struct place place;
    struct stat st;
    if (!find_place(&place, folder, SESSION_TROUBLES) || !stat_directory(&st, folder))
        return -1;
    return only_of(open_place(&place, O_WRONLY | O_APPEND), st.st_uid);
}

static bool bind_to(int fd, const struct place *place)
{
    struct sockaddr_un address;
    return socket_address_at(&address, place->directory, place->name) &&
           bind(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
           fchmodat(place->directory, place->name, 0600, 0) == 0;
}

int folder_listen(const struct folder *folder, const char *name, int backlog)
{
    struct place place;
    if (!find_safe_place(&place, folder, name))
        return -1;
    int fd = above_streams(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    (void)unlinkat(place.directory, place.name, 0);
    if (fd >= 0 && bind_to(fd, &place) && listen(fd, backlog) == 0)
        return fd;
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

bool folder_has(const struct folder *folder, const char *name)
{
    struct place place;
    struct stat st;
    return find_place(&place, folder, name) &&
           fstatat(place.directory, place.name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

void folder_remove(const struct folder *folder, const char *name)
{
    struct place place;
    if (find_place(&place, folder, name))
        (void)unlinkat(place.directory, place.name, 0);
}

bool folder_rename(const struct folder *folder, const char *from, const char *to)
{
    struct place old, new;
    return find_place(&old, folder, from) && find_place(&new, folder, to) &&
           renameat(old.directory, old.name, new.directory, new.name) == 0;
}

uint64_t folder_room(const struct folder *folder)
{
    struct statvfs fs;
    int fd = kept_fd(&folder->directory);
    bool known = fd >= 0 ? fstatvfs(fd, &fs) == 0 : statvfs(folder->path, &fs) == 0;
    return known ? (uint64_t)fs.f_bavail * fs.f_frsize : UINT64_MAX;
}

bool folder_allows(uint64_t file_len)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        file_len <= limit.rlim_cur)
        return true;
    errno = EFBIG;
    return false;
}

#include "profiler/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <unistd.h>

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

/* A target that was started without standard streams must not find our file in their place. */
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

/* What *at() functions want: the directory and a name in it, or, without it, the whole path. */
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

int folder_file(const struct folder *folder, const char *name, int flags)
{
    struct place place;
    if (!find_place(&place, folder, name))
        return -1;
    return above_streams(openat(place.directory, place.name, flags | O_NOFOLLOW | O_CLOEXEC, 0600));
}

/* bind has no variant that takes a directory, and 108 bytes for all of a path: the directory is named
 * by our descriptor. */
static bool bind_to(int fd, const struct place *place)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int len = place->directory == AT_FDCWD
                  ? snprintf(address.sun_path, sizeof address.sun_path, "%s", place->name)
                  : snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s",
                             place->directory, place->name);
    return len > 0 && (size_t)len < sizeof address.sun_path &&
           bind(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
           fchmodat(place->directory, place->name, 0600, 0) == 0;
}

int folder_listen(const struct folder *folder, const char *name, int backlog)
{
    struct place place;
    if (!find_place(&place, folder, name))
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

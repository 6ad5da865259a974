#include "profiler/session/session_folder.h"

#include <errno.h>
#include <stdio.h>

#include "contract/session_format.h"
#include "system/file.h"
#include "system/file_status.h"
#include "system/folder.h"
#include "system/socket.h"
#include "system/thread.h"
#include "system/user.h"

enum {
    OPEN_TRIES = 16 /* for a file that other processes create and remove at the same time */
};

/* --- descriptors ------------------------------------------------------------------------------ */

void kept_open(struct kept *out, int fd)
{
    *out = (struct kept){.fd = fd};
    if (fd < 0 || file_identity_open(&out->identity, fd))
        return;
    (void)file_close(fd);
    out->fd = -1;
}

int kept_fd(const struct kept *kept)
{
    return file_identity_is_open(&kept->identity, kept->fd) ? kept->fd : -1;
}

void kept_close(struct kept *kept)
{
    (void)file_close(kept_fd(kept));
    kept->fd = -1;
}

/* --- the directory ---------------------------------------------------------------------------- */

void folder_open(struct folder *out, const char *path)
{
    (void)snprintf(out->path, sizeof out->path, "%s", path);
    kept_open(&out->directory,
              file_above_streams(file_open(path, FILE_PLACE | FILE_FOLDER | FILE_NO_LINK)));
}

void folder_close(struct folder *folder)
{
    kept_close(&folder->directory);
}

/* The directory and a name in it; without a kept directory, the whole path. */
struct folder_place {
    int directory;
    char name[FOLDER_PATH_MAX + 256];
};

static bool find_folder_place(struct folder_place *out, const struct folder *folder,
                              const char *name)
{
    out->directory = kept_fd(&folder->directory);
    bool whole = out->directory < 0;
    int len = snprintf(out->name, sizeof out->name, "%s%s%s", whole ? folder->path : "",
                       whole ? "/" : "", name);
    if (whole)
        out->directory = FILE_HERE;
    if (len > 0 && (size_t)len < sizeof out->name)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

/* By the kept descriptor, or else by the path, which must be a directory. */
static bool read_folder_status(struct file_status *out, const struct folder *folder)
{
    int fd = kept_fd(&folder->directory);
    if (fd >= 0)
        return file_status_open(out, fd);
    if (!file_status_itself(out, folder->path))
        return false;
    errno = ENOTDIR;
    return out->kind == FILE_IS_FOLDER;
}

/* A directory that was found again by its path must be the same as before. */
static bool is_safe_folder(const struct folder *folder, const struct file_status *status)
{
    const struct file_identity *kept = &folder->directory.identity;
    bool is_same =
        kept->file == 0 || (status->device == kept->device && status->file == kept->file);
    return is_same && status->owner == user_self() && !file_status_others_write(status);
}

bool folder_check(const struct folder *folder, struct err *err)
{
    struct file_status status;
    if (!read_folder_status(&status, folder))
        return err_set_errno(err, "the session %s cannot be used", folder->path);
    if (is_safe_folder(folder, &status))
        return true;
    if (status.owner != user_self())
        return err_set(err, ERR_IO, "the session %s belongs to user %u, this process to user %u",
                       folder->path, status.owner, user_self());
    return err_set(err, ERR_IO, "the session %s is writable by other users (mode %03o)",
                   folder->path, status.mode & 0777);
}

/* The descriptor, if it is a regular file with one name that only `owner` may write to; else -1. */
static int only_of(int fd, uint32_t owner)
{
    struct file_status status;
    if (fd < 0)
        return -1;
    if (file_status_open(&status, fd) && status.kind == FILE_IS_REGULAR && status.owner == owner &&
        status.links <= 1 && !file_status_others_write(&status))
        return fd;
    (void)file_close(fd);
    errno = EACCES;
    return -1;
}

/* If the target was started without standard streams, the library's file must not take their
 * place. */
static int open_place(const struct folder_place *place, unsigned use)
{
    return file_above_streams(file_open_in(place->directory, place->name, use | FILE_NO_LINK));
}

static bool find_safe_place(struct folder_place *out, const struct folder *folder, const char *name)
{
    struct file_status status;
    if (!find_folder_place(out, folder, name) || !read_folder_status(&status, folder))
        return false;
    errno = EACCES;
    return is_safe_folder(folder, &status);
}

int folder_file(const struct folder *folder, const char *name, unsigned use)
{
    struct folder_place place;
    bool is_new = (use & FILE_NEW) != 0, may_make = (use & (FILE_MAKE | FILE_NEW)) != 0;
    unsigned existing = use & ~(unsigned)FILE_MAKE;
    int fd = -1;
    if (!find_safe_place(&place, folder, name))
        return -1;
    for (unsigned i = 0; i < OPEN_TRIES && fd < 0; i++) {
        errno = ENOENT;
        if (!is_new)
            fd = only_of(open_place(&place, existing), user_self());
        if (fd < 0 && errno == ENOENT && may_make)
            fd = open_place(&place, use | FILE_NEW);
        if (fd < 0 && (errno != EEXIST || is_new))
            break;
    }
    return fd;
}

int folder_warnings(const struct folder *folder)
{
    struct folder_place place;
    struct file_status status;
    if (!find_folder_place(&place, folder, SESSION_WARNINGS) ||
        !read_folder_status(&status, folder))
        return -1;
    return only_of(open_place(&place, FILE_APPEND), status.owner);
}

int64_t folder_append(const struct folder *folder, const struct kept *kept, const char *name,
                      const struct view *parts, uint32_t count)
{
    int open = kept_fd(kept), fd = open >= 0 ? open : folder_file(folder, name, FILE_APPEND);
    int64_t written = file_append_parts(fd, parts, count);
    if (fd != open)
        (void)file_close(fd);
    return written;
}

int folder_listen(const struct folder *folder, const char *name, unsigned queue)
{
    struct folder_place place;
    return find_safe_place(&place, folder, name) ? listener_open(place.directory, place.name, queue)
                                                 : -1;
}

bool folder_has(const struct folder *folder, const char *name)
{
    struct folder_place place;
    struct file_status status;
    return find_folder_place(&place, folder, name) &&
           file_status_in(&status, place.directory, place.name);
}

void folder_remove(const struct folder *folder, const char *name)
{
    struct folder_place place;
    if (find_folder_place(&place, folder, name))
        (void)file_remove_in(place.directory, place.name);
}

static bool rename_in(const struct folder *folder, const char *from, const char *to)
{
    struct folder_place old, new;
    return find_folder_place(&old, folder, from) && find_folder_place(&new, folder, to) &&
           file_rename_in(old.directory, old.name, new.directory, new.name);
}

void folder_begin_copy(struct folder_copy *out, const struct folder *folder, const char *name)
{
    out->name = name;
    (void)snprintf(out->temporary, sizeof out->temporary, "%s-%u" SESSION_PART, name,
                   thread_own_number());
    out->fd = folder_file(folder, out->temporary, FILE_WRITE | FILE_NEW);
}

bool folder_end_copy(struct folder_copy *copy, const struct folder *folder, bool written)
{
    (void)file_close(copy->fd);
    written = written && rename_in(folder, copy->temporary, copy->name);
    if (copy->fd >= 0 && !written)
        folder_remove(folder, copy->temporary);
    return written;
}

bool folder_write_copy(const struct folder *folder, const char *name, struct view bytes)
{
    struct folder_copy copy;
    folder_begin_copy(&copy, folder, name);
    return folder_end_copy(&copy, folder,
                           copy.fd >= 0 && file_length_allowed(bytes.len) &&
                               file_write_at(copy.fd, bytes.data, bytes.len, 0));
}

uint64_t folder_room(const struct folder *folder)
{
    int fd = kept_fd(&folder->directory);
    return fd >= 0 ? file_system_room_open(fd) : file_system_room(folder->path);
}

/* file_status.h - what the system says about a file: is it there, of which kind, size and owner,
 * and is it the same as another, or as it was?
 * Errors: false, with the system's reason in errno, for err_set_errno.
 * Target: safe to call there on any thread: no locks, no allocations, libc only. */
#pragma once

#include "base/base.h"

enum file_kind {
    FILE_IS_REGULAR = 1,
    FILE_IS_FOLDER,
    FILE_IS_LINK,
    FILE_IS_OTHER /* a pipe, socket or device */
};

struct file_status {
    enum file_kind kind;
    uint32_t owner;        /* a user, see system/user.h */
    uint32_t mode;         /* the permission bits, such as 0644 */
    uint64_t links;        /* its names; 0: it was removed */
    uint64_t device, file; /* both together identify it */
    uint64_t size;         /* in bytes */
    int64_t written;       /* when its contents were last changed, in nanoseconds since 1970 */
};

/* Of an open file. */
NODISCARD bool file_status_open(struct file_status *out, int file);
/* Of what a path leads to, links followed. */
NODISCARD bool file_status_read(struct file_status *out, const char *path);
/* Of what is at a path, even if that is a link. */
NODISCARD bool file_status_itself(struct file_status *out, const char *path);
/* Of what a walk through folders meets at a path: a link to a regular file is that file, any other
 * link is a link. So a walk visits each folder once, and none outside of its place. */
NODISCARD bool file_status_entry(struct file_status *out, const char *path);
/* The same as file_status_itself for a name in an open folder. */
NODISCARD bool file_status_in(struct file_status *out, int folder, const char *name);

/* Are these the same file? */
static inline bool file_status_is_same(const struct file_status *a, const struct file_status *b)
{
    return a->device == b->device && a->file == b->file;
}

/* May others than the owner and root write to it? */
static inline bool file_status_others_write(const struct file_status *status)
{
    return (status->mode & 0022) != 0;
}

/* Do both paths lead to the same file or folder, which is there? */
bool file_is_same(const char *a, const char *b);

/* Is there a folder, or a link to one, at the path? */
bool file_is_folder(const char *path);
/* Is there a regular file, or a link to one, at the path? */
bool file_is_regular(const char *path);

/* Two answers for a link that leads to nothing. */
bool file_exists(const char *path);
bool file_or_link_exists(const char *path);

/* May this process read it, or start it as a program? False with errno. */
bool file_is_readable(const char *path);
bool file_is_executable(const char *path);
/* May it make files in this folder? */
bool file_folder_is_writable(const char *path);

/* Which file it is, whatever its name and the number that it is open under: both may mean another
 * one later. */

/* All 0: of no file. */
struct file_identity {
    uint64_t device, file; /* as in file_status */
};

/* Of an open file, a folder or socket as well. False with errno, and of no file. */
NODISCARD bool file_identity_open(struct file_identity *out, int file);
/* Of the root of all paths, which a process may change. False with errno, and of no file. */
NODISCARD bool file_identity_root(struct file_identity *out);

bool file_identity_is(const struct file_identity *a, const struct file_identity *b);

/* Is that file open under this number? */
bool file_identity_is_open(const struct file_identity *identity, int file);

/* The open file if it is that one. Otherwise it is closed: -1, with errno ESTALE.
 * -1 stays -1. */
NODISCARD int file_identity_demand(const struct file_identity *identity, int file);

/* Was a file written or replaced since? */

/* All 0: there is no regular file. */
struct file_version {
    uint64_t device, file, size;
    int64_t written; /* as in file_status */
};

static inline struct file_version file_version_read(const char *path)
{
    struct file_status status;
    if (!file_status_read(&status, path) || status.kind != FILE_IS_REGULAR)
        return (struct file_version){.file = 0};
    return (struct file_version){status.device, status.file, status.size, status.written};
}

static inline bool file_version_is_none(const struct file_version *version)
{
    return version->file == 0;
}

static inline bool file_version_is(const struct file_version *a, const struct file_version *b)
{
    return a->device == b->device && a->file == b->file && a->size == b->size &&
           a->written == b->written;
}

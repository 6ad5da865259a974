/* file_status.h - what the system says about a file: its kind, size, owner, identity.
 * Errors: false, with the system's reason in errno, for err_set_errno.
 * Target: safe to call there on any thread: no locks, no allocations, libc only. */
#ifndef ILCOV_SYSTEM_FILE_FILE_STATUS_H
#define ILCOV_SYSTEM_FILE_FILE_STATUS_H

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

#endif

/* file_system.h - the file system that a file or folder is in.
 * Target: safe to call there on any thread: no locks, no allocations, libc only. */
#ifndef ILCOV_SYSTEM_FILE_FILE_SYSTEM_H
#define ILCOV_SYSTEM_FILE_FILE_SYSTEM_H

#include "base/base.h"

struct file_system_size {
    uint64_t free, total; /* bytes; free: that this user may still write */
};

/* False, with the system's reason in errno. */
NODISCARD bool file_system_size(struct file_system_size *out, const char *path);

/* Bytes that this user may still write there. UINT64_MAX if that is not known. */
uint64_t file_system_room(const char *path);
/* The same by an open file or folder. */
uint64_t file_system_room_open(int file);

#endif

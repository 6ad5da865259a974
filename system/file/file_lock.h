/* file_lock.h - locks on whole open files and folders, between processes that respect them. A lock
 * ends when the open file is closed, or its process ends in any way.
 * Source: flock(2).
 * Target: safe to call there on any thread: no locks of its own, no allocations, libc only. */
#ifndef ILCOV_SYSTEM_FILE_FILE_LOCK_H
#define ILCOV_SYSTEM_FILE_FILE_LOCK_H

#include "base/base.h"

enum file_lock {
    FILE_LOCK_SHARED,   /* others may have it, too */
    FILE_LOCK_EXCLUSIVE /* nobody else has any */
};

enum file_locked {
    FILE_LOCKED,
    FILE_LOCK_TAKEN, /* by another open file, maybe of this process */
    FILE_LOCK_FAILED /* the reason is in errno */
};

/* Does not wait. Replaces a lock that the open file has already. */
NODISCARD enum file_locked file_lock_try(int file, enum file_lock lock);

#endif

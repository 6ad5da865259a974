/* file_identity.h - which file it is, whatever its name and the number that it is open under: both
 * may mean another one later.
 * Target: safe to call there on any thread: no locks, no allocations, libc only. */
#ifndef ILCOV_SYSTEM_FILE_FILE_IDENTITY_H
#define ILCOV_SYSTEM_FILE_FILE_IDENTITY_H

#include "base/base.h"

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

#endif

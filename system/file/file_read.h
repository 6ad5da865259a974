/* file_read.h - reads bytes of an open file. A signal does not end a read early (EINTR), and
 * neither does a file system that answers with fewer bytes than it was asked for.
 * Target: safe to call there on any thread: no locks, no allocations, libc only. */
#ifndef ILCOV_SYSTEM_FILE_READ_H
#define ILCOV_SYSTEM_FILE_READ_H

#include "base/base.h"

/* Opens a regular file for reading and returns its descriptor. A pipe or device, which could make
 * its reader wait for ever, is refused: -1 with EINVAL; otherwise -1 with the system's errno. */
NODISCARD int file_read_open(const char *path);

/* The next bytes, at most `room`; 0 at the end, -1 with errno. */
NODISCARD int64_t file_read_some(int fd, void *out, size_t room);

/* Exactly `len` bytes at `offset`. False with errno; ENODATA: the file ends before. */
NODISCARD bool file_read_at(void *out, size_t len, int fd, uint64_t offset);

#endif

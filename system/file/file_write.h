/* file_write.h - writes to an open file, and gives it its length. A signal does not end a write
 * early (EINTR), and neither does a file system that takes fewer bytes than it was given.
 * Errors: false, with the system's reason in errno, for err_set_errno.
 * Target: safe to call there on any thread: no locks, no allocations, libc only. */
#ifndef ILCOV_SYSTEM_FILE_FILE_WRITE_H
#define ILCOV_SYSTEM_FILE_FILE_WRITE_H

#include "base/base.h"

NODISCARD bool file_write(int file, const void *data, size_t len);
NODISCARD bool file_write_at(int file, const void *data, size_t len, uint64_t offset);

/* In a single write: to a file that was opened with FILE_APPEND the parts go together, with nothing
 * between them of what others append. At most FILE_PARTS_MAX. How many bytes were written: fewer if
 * there is no room for all; -1 with errno, also if a signal came first. */
enum {
    FILE_PARTS_MAX = 128
};
NODISCARD int64_t file_write_parts(int file, const struct view *parts, uint32_t count);

/* The same, but only if a limit of this process allows it (file_length_allowed). */
NODISCARD int64_t file_append_parts(int file, const struct view *parts, uint32_t count);

/* Cuts the file, or makes it longer with zeroes that take no room on the disk. */
NODISCARD bool file_set_length(int file, uint64_t len);

/* Takes the room on the disk for `len` bytes from `offset` on, and makes the file at least that
 * long. ENOSPC: there is not as much; EINTR: signals interrupt it for too long. */
NODISCARD bool file_reserve(int file, uint64_t offset, uint64_t len);

/* Takes the room for its first `len` bytes, and leaves its length as it is. */
NODISCARD bool file_reserve_beyond(int file, uint64_t len);

/* Waits until the disk has what was written. */
NODISCARD bool file_flush(int file);

/* Does a limit of this process allow files of that length? Writing more would end it with SIGXFSZ.
 * EFBIG if not. */
NODISCARD bool file_length_allowed(uint64_t len);

#endif

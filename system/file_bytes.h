/* file_bytes.h - the bytes of a file, copied into memory of our own: what happens to the file later
 * does not matter. A mapping of the file would be a little quicker, and end in SIGBUS when a build
 * cuts the file meanwhile.
 * Owner:  file_bytes_release gives the memory back.
 * Errors: ERR_IO, ERR_FORMAT (not a regular file, or empty), ERR_LIMIT; without the name of the
 *         file: the caller knows it. */
#ifndef ILCOV_SYSTEM_FILE_BYTES_H
#define ILCOV_SYSTEM_FILE_BYTES_H

#include "base/err.h"

#define FILE_BYTES_MAX ((size_t)1 << 30)

NODISCARD bool file_bytes_read(struct view *out, const char *path, struct err *err);
/* Of a file in the open directory `folder`, of at most `most` bytes. */
NODISCARD bool file_bytes_read_at(struct view *out, int folder, const char *name, size_t most,
                                  struct err *err);
/* Leaves an empty view. */
void file_bytes_release(struct view *bytes);

#endif

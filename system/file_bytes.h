/* file_bytes.h - the bytes of a file, copied into private memory, so that later changes of the file
 * do not matter. A mapping would be slightly faster, but end in SIGBUS if a build truncates the
 * file.
 * Owner:  file_bytes_release gives the memory back.
 * Errors: ERR_IO, ERR_FORMAT (not a regular file, or empty), ERR_LIMIT; without the name of the
 *         file: the caller knows it. */
#ifndef ILCOV_SYSTEM_FILE_BYTES_H
#define ILCOV_SYSTEM_FILE_BYTES_H

#include "base/err.h"

#define FILE_BYTES_MAX ((size_t)1 << 30)

NODISCARD bool file_bytes_read(struct view *out, const char *path, struct err *err);
/* The same for a file in the open directory `folder`, of at most `most` bytes. */
NODISCARD bool file_bytes_read_at(struct view *out, int folder, const char *name, size_t most,
                                  struct err *err);
/* Leaves an empty view. */
void file_bytes_release(struct view *bytes);

#endif

/* file_text.h - the text of a file of unknown size, such as one of /proc or one that is still being
 * written.
 * Owner: the text lives in the arena. */
#ifndef ILCOV_SYSTEM_FILE_TEXT_H
#define ILCOV_SYSTEM_FILE_TEXT_H

#include "base/text.h"

/* The rest of the open file, with a NUL after it. Reading stops after `limit` bytes, or up to 4095
 * later. ERR_IO, ERR_MEMORY; without the name of the file: the caller knows it. */
NODISCARD bool file_text_read(struct str *out, int fd, size_t limit, struct arena *arena,
                              struct err *err);

#endif

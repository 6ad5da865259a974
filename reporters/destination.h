/* destination.h - where a report goes: a file that appears whole or not at all, or a standard
 * stream.
 * Errors: ERR_IO when it can't be written; then neither the file nor a temporary one is left. */
#ifndef ILCOV_REPORTERS_DESTINATION_H
#define ILCOV_REPORTERS_DESTINATION_H

#include <stdio.h>

#include "base/err.h"

/* One that returns true may still have failed to write: ferror(file) is asked. */
struct destination_content {
    bool (*write)(FILE *file, const void *context, bool colour, struct err *err);
    const void *context;
};

/* Writes to a temporary file beside `path` and renames it. NULL is standard error,
 * DESTINATION_STDOUT standard output: in colour when that is a terminal and NO_COLOR is not set. */
#define DESTINATION_STDOUT "-"
NODISCARD bool destination_write(const char *path, const struct destination_content *content,
                                 struct err *err);

#endif

/* store.h - the data file coverage.ilcov: facts in an SQLite database.
 * Owner:  what store_read gives lives in the arena.
 * Errors: ERR_IO unwritable or unreadable; ERR_FORMAT not a data file, damaged (the digest over all
 *         rows does not match), or of another version; the text says which. The caller names the
 *         file. Facts that facts_check refuses are refused in both directions.
 * store_write builds a temporary file beside `path` and renames it: a reader sees the old file or
 * the new one whole. */
#ifndef ILCOV_COVERAGE_STORE_H
#define ILCOV_COVERAGE_STORE_H

#include "coverage/facts.h"

enum {
    STORE_APPLICATION_ID = 0x496C436F /* "IlCo" */,
    STORE_VERSION = 3
};

NODISCARD bool store_write(const char *path, const struct facts *facts, struct err *err);
NODISCARD bool store_read(struct facts *out, const char *path, struct arena *arena,
                          struct err *err);

#endif

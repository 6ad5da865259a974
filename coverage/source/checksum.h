/* checksum.h - is a file the one that a PDB's document was compiled from?
 * Source: PortablePdb-Metadata.md, "Document Table": SHA-1 or SHA-256 of the file's bytes. */
#ifndef ILCOV_COVERAGE_SOURCE_CHECKSUM_H
#define ILCOV_COVERAGE_SOURCE_CHECKSUM_H

#include "base/text.h"

/* False also when the file can't be read or the algorithm is not known; `path` ends with a NUL. An
 * empty hash matches any file that can be read. */
bool checksum_matches(const char *path, const uint8_t algorithm[16], struct view hash);

/* The same of bytes; but an empty hash matches none. */
bool checksum_matches_bytes(struct view bytes, const uint8_t algorithm[16], struct view hash);

#endif

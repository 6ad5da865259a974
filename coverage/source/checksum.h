/* checksum.h - checks whether a PDB's document was compiled from a given file, or from the same
 * lines with other line ends: git may change those in each checkout (core.autocrlf), and neither
 * lines nor columns depend on them.
 * Source: PortablePdb-Metadata.md, "Document Table": SHA-1 or SHA-256 of the file's bytes. */
#pragma once

#include "base/text.h"

/* Also false if the file can't be read or the algorithm is unknown; `path` ends with a NUL. An
 * empty hash matches any readable file. */
bool checksum_matches(const char *path, const uint8_t algorithm[16], struct view hash);

/* The same for bytes, except that an empty hash matches nothing. */
bool checksum_matches_bytes(struct view bytes, const uint8_t algorithm[16], struct view hash);

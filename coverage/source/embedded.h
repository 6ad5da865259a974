/* embedded.h - inflates an embedded portable PDB or source text. Links zlib: only for the program,
 * never for libilcov.so.
 * Source: dotnet/runtime docs/design/specs/PE-COFF.md, "Embedded Portable PDB";
 *         PortablePdb-Metadata.md, "Embedded Source".
 * Errors: ERR_FORMAT; ERR_LIMIT more than EMBEDDED_LEN_MAX bytes, or more than the data can inflate
 *         to. */
#pragma once

#include "base/arena.h"
#include "base/err.h"

enum {
    EMBEDDED_LEN_MAX = 1 << 30
};

NODISCARD bool embedded_pdb(struct view *out, struct view mpdb, struct arena *arena,
                            struct err *err);
NODISCARD bool embedded_source(struct view *out, struct view blob, struct arena *arena,
                               struct err *err);

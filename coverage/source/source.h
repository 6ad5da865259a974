/* source.h - the text of a document as it was compiled: the file on disk if it is unchanged, else
 * the PDB's copy.
 * Source: PortablePdb-Metadata.md, "Document Table", "Embedded Source".
 * Owner:  the text lives until source_close, or in the arena. */
#pragma once

#include "coverage/facts/facts.h"

/* Why there is no text, and no copy in the PDB either. */
enum source_lack {
    SOURCE_LACK_NONE,
    SOURCE_LACK_FILE,     /* there is none, or it can't be read */
    SOURCE_LACK_CHECKSUM, /* the PDB has none: nobody knows whether the file is what was compiled */
    SOURCE_LACK_SAME,     /* the file has changed since it was compiled */
    SOURCE_LACK_UTF8      /* the text is UTF-16 */
};

struct source {
    struct view text; /* UTF-8, or nearly; empty if it is not available */
    struct view file; /* released by source_close */
    enum source_lack lack;
};

/* False only if out of memory. A file without a checksum in the PDB, or in UTF-16, is not used. */
NODISCARD bool source_open(struct source *out, const char *path,
                           const struct fact_document *document, struct view embedded,
                           struct arena *arena, struct err *err);
void source_close(struct source *source);

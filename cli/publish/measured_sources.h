/* measured_sources.h - the source text that writers show: from the file that was compiled, if it is
 * unchanged, else from the copy in the PDB. Lines end as in line_index.h.
 * Owner:  everything lives in an arena of its own; the facts outlive it. */
#pragma once

#include "coverage/source/line_index.h"
#include "coverage/source/source.h"
#include "reporters/sources.h"

struct measured_sources {
    struct sources sources; /* what writers get; points here */
    const struct facts *facts;
    struct str root;
    struct str package, path; /* of what is open */
    struct source source;
    struct line_index lines;
    struct document_place *places; /* of documents; NULL: not listed yet */
    uint32_t place_count;
    struct arena arena;   /* of what is open */
    struct arena lasting; /* of the rest */
};

/* `root`: where the sources are. Must not be moved or copied while it is open. */
void measured_sources_open(struct measured_sources *out, const struct facts *facts,
                           struct str root);
/* In place of it, for reports without source text. */
void measured_sources_withhold(struct measured_sources *out);
void measured_sources_close(struct measured_sources *sources);

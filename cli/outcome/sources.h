/* sources.h - the lines of source that a comparison shows: of the file that was compiled, if it is still
 * that one, else of what the PDB held of it.
 * Owner:  everything lives in the arena; what a line is lasts until the next is asked for. */
#ifndef ILCOV_CLI_OUTCOME_SOURCES_H
#define ILCOV_CLI_OUTCOME_SOURCES_H

#include "coverage/source/source.h"

struct sources {
    const struct facts *facts;
    struct str root;
    struct str package, path; /* of what is open */
    struct source source;
    struct arena arena; /* of what is open */
};

void sources_open(struct sources *out, const struct facts *facts, struct str root);
void sources_close(struct sources *sources);

/* As struct diff_sources wants it; `context` is a struct sources. */
struct str sources_line(void *context, struct str package, struct str path, uint32_t number);

#endif

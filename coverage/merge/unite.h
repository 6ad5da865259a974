/* unite.h - the facts of several data files made one, but for their counts: the same build of an
 * assembly is one module afterwards, the same run one run. What comes out does not hang on the
 * order that they came in, nor on what was united before.
 *
 * Module:    one build, by its identity, wherever it lay. A method that one run had to leave as it
 *            was has the lines that another run knows of it.
 * Unlike:    what was measured beats what was never loaded; what somebody excluded by name stays
 *            excluded; a document that one machine has is reported.
 * Run:       by its id. Processes are those of the file that lists more of them.
 * Layout:    where a count stands in the vector of a module is made anew (facts_layout), so vectors
 *            of a file are to be moved: unite_sources.
 * Errors:    ERR_LIMIT a module with more counts than any compiler's.
 * Owner:     everything is copied into the arena of the union. */
#ifndef ILCOV_COVERAGE_MERGE_UNITE_H
#define ILCOV_COVERAGE_MERGE_UNITE_H

#include "base/list.h"
#include "coverage/facts/facts.h"

struct unite {
    struct list modules, runs; /* struct fact_module; struct united_run of unite.c */
    struct arena *arena;
};

/* Where what a file calls run and module 0, 1 … is in the union. */
struct unite_map {
    uint32_t *run, *module;
};

void unite_open(struct unite *out, struct arena *arena);

/* The map is of numbers that unite_finish still changes. */
NODISCARD bool unite_add(struct unite *unite, struct unite_map *map, const struct facts *facts,
                         struct err *err);

/* All facts but counts, in their order. *final: the numbers that those of the maps became. */
NODISCARD bool unite_finish(struct facts *out, struct unite_map *final, struct unite *unite,
                            struct err *err);

/* Of each count of `to`, a module of the union, its place in `from`, a module of a file that became
 * it;
 * NO_INDEX: the file does not know it. */
NODISCARD bool unite_sources(uint32_t **sources, const struct fact_module *to,
                             const struct fact_module *from, struct arena *arena, struct err *err);

#endif

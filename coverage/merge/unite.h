/* unite.h - unites the facts of several data files, except for their counts: the same build of an
 * assembly becomes one module, the same run one run. The result does not depend on the order of the
 * files, nor on what was united before.
 *
 * Module:    one build, by its identity, wherever its file was. A method that one run left
 *            unchanged has the lines that another run knows.
 * Unlike:    a measured module beats one that was never loaded; code excluded by name stays
 *            excluded; a document that one machine has is reported.
 * Run:       by its id. Processes come from the file that lists more of them. One whose counts are
 *            in another, too (run_id_contains), is left out.
 * Layout:    the places of counts in a module's vector are assigned again (facts_layout), so a
 *            file's vectors must be moved: unite_sources.
 * Errors:    ERR_LIMIT a module with more counts than any compiler makes.
 * Owner:     everything is copied into the arena of the union. */
#pragma once

#include "base/list.h"
#include "coverage/facts/facts.h"

struct unite {
    struct list modules, runs; /* struct fact_module; struct united_run of unite.c */
    bool has_measured,
        leaves_generated; /* a file has measured runs; one leaves generated code out */
    struct arena *arena;
};

/* The indices in the union of a file's runs and modules 0, 1 … */
struct unite_map {
    uint32_t *run, *module;
};

void unite_open(struct unite *out, struct arena *arena);

/* The map holds numbers that unite_finish still changes. */
NODISCARD bool unite_add(struct unite *unite, struct unite_map *map, const struct facts *facts,
                         struct err *err);

/* All facts except counts, sorted. *final: the final numbers for those in the maps; NO_INDEX for a
 * run that is left out. */
NODISCARD bool unite_finish(struct facts *out, struct unite_map *final, struct unite *unite,
                            struct err *err);

/* For each count of `to`, a module of the union, its place in `from`, a module of a file that was
 * united into it; NO_INDEX if the file does not have it. */
NODISCARD bool unite_sources(uint32_t **sources, const struct fact_module *to,
                             const struct fact_module *from, struct arena *arena, struct err *err);

/* stale.h - which sources have changed since what is about to run was built: seen by the checksums
 * in symbols, before a command starts that builds nothing.
 * Owner:  the arena. */
#pragma once

#include "coverage/collect/collect_options.h"

struct stale_source {
    struct str path;     /* below the root */
    struct str assembly; /* that was built from it; of several, the first by name */
};

struct stale {
    struct stale_source *sources; /* ascending path; each once */
    uint32_t count;
};

/* `folders`: absolute, of the assemblies; those count that `options` measure. What can't be read
 * says nothing. */
NODISCARD bool stale_find(struct stale *out, const struct str *folders, uint32_t count,
                          const struct collect_options *options, struct arena *arena,
                          struct err *err);

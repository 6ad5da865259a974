/* collect.h - a session's counters, read with the metadata of its modules and the same plan that
 * the profiler made, become facts: which statement began how often, which way each decision went.
 * Errors: ERR_MEMORY and the like. A module that can't be read becomes a skipped module with its
 *         reason; when its counters say that it ran, also a trouble, so that nothing is 0 % in
 *         silence. */
#ifndef ILCOV_COVERAGE_COLLECT_COLLECT_H
#define ILCOV_COVERAGE_COLLECT_COLLECT_H

#include "coverage/collect/excluded_by_attribute.h"
#include "coverage/facts/facts.h"
#include "coverage/session/baseline.h"
#include "coverage/session/session.h"

struct collect_options {
    const char *root;                /* absolute, real path */
    struct session_config config;    /* what the target was told, and which run it is */
    const struct str *exclude_files; /* globs (paths_match) */
    uint32_t exclude_file_count;
    struct exclusion_options exclusions;
    const struct baseline *baseline; /* what does not count, or NULL */
    struct baseline *taken; /* NULL, or with a baseline: gets the sums of all, its own and later */
};

/* A sentence for standard error. */
enum collect_trouble_kind {
    TROUBLE_LOSS,      /* a process told what it could not count */
    TROUBLE_BAD_INPUT, /* something could not be read */
    TROUBLE_WARNING,   /* a comment of a source that can't be meant so, sources that are nowhere */
    TROUBLE_NOTE,      /* one that does nothing: of interest with --verbose */
};
struct collect_trouble {
    struct str text;
    enum collect_trouble_kind kind;
};

struct collect_result {
    struct facts facts;
    uint32_t instrumented_methods;    /* over all modules and processes */
    struct collect_trouble *troubles; /* each once */
    uint32_t trouble_count;
};

NODISCARD bool collect(struct collect_result *out, const struct session *session,
                       const struct collect_options *options, struct arena *arena, struct err *err);

#endif

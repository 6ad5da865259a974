/* collect_options.h - what a session is read with. */
#ifndef ILCOV_COVERAGE_COLLECT_COLLECT_OPTIONS_H
#define ILCOV_COVERAGE_COLLECT_COLLECT_OPTIONS_H

#include "coverage/collect/excluded_by_attribute.h"
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

#endif

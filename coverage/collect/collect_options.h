/* collect_options.h - how to read a session, and what comes of it. */
#pragma once

#include "base/progress.h"
#include "coverage/collect/excluded_by_attribute.h"
#include "coverage/collect/messages.h"
#include "coverage/collect/solution.h"
#include "coverage/facts/facts.h"
#include "coverage/session/baseline.h"
#include "coverage/session/session.h"
#include "coverage/source/path_map.h"

struct collect_options {
    const char *root;                /* absolute, real path */
    bool root_is_given;              /* by -r: what lies outside was left out on purpose */
    struct session_config config;    /* the target's configuration and the id of the run */
    const struct path_maps *maps;    /* where sources are; or NULL */
    const struct str *exclude_files; /* globs (paths_match) */
    uint32_t exclude_file_count;
    struct exclusion_options exclusions;
    const struct solution *solution; /* whose projects count, loaded or not; or NULL */
    const struct baseline *baseline; /* counts to subtract, or NULL */
    bool keeps_before;               /* what is subtracted becomes a run of its own */
    bool (*stop)(void *context);     /* end early with what has been read? NULL: never asked */
    void *stop_context;
    const struct progress_hook *progress; /* or NULL */
    struct baseline *taken; /* NULL or, with a baseline, receives all sums, including its own */
};

struct collect_result {
    struct facts facts;
    uint32_t instrumented_methods;    /* over all modules and processes */
    struct collect_message *messages; /* each once */
    uint32_t message_count;
    bool is_stopped;       /* as the options' `stop` asked: something was not read */
    uint32_t unread_count; /* of the modules that ran; they are listed with REASON_INTERRUPTED */
    struct str first_unread;
};

/* collect.h - a session's counters, read with the metadata of its modules and the same plan that
 * the profiler made, become facts: which statement began how often, which way each decision went.
 * Errors: ERR_MEMORY and the like. A module that can't be read becomes a skipped module with its
 *         reason; when its counters say that it ran, also a trouble, so that nothing is silently 0
 *         %. */
#ifndef ILCOV_COVERAGE_COLLECT_H
#define ILCOV_COVERAGE_COLLECT_H

#include "coverage/facts.h"
#include "coverage/session.h"

struct collect_options {
    const char *root;          /* absolute, real path */
    const struct str *include; /* the run's -i and -x */
    uint32_t include_count;
    const struct str *exclude;
    uint32_t exclude_count;
    bool include_tests;
    enum count_mode mode;
    int64_t started; /* Unix seconds */
    uint8_t run_id[16];
};

struct collect_result {
    struct facts facts;
    uint32_t instrumented_methods; /* over all modules and processes */
    struct str *troubles;          /* sentences for standard error */
    uint32_t trouble_count;
};

NODISCARD bool collect(struct collect_result *out, const struct session *session,
                       const struct collect_options *options, struct arena *arena, struct err *err);

#endif

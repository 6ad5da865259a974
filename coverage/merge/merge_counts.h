/* merge_counts.h - the counts of the files that are merged, moved to where the union of their facts
 * has them: one run after another, so that memory holds no more than one.
 * Errors: ERR_FORMAT a file is not what it was when its facts were read; the text names it. */
#ifndef ILCOV_COVERAGE_MERGE_MERGE_COUNTS_H
#define ILCOV_COVERAGE_MERGE_MERGE_COUNTS_H

#include "coverage/store/store.h"

struct merge_source {
    const char *path;
    uint8_t digest[DIGEST_LEN];
    uint32_t *run, *module; /* where its own are in the union */
    uint64_t *layouts;      /* of each of its modules: facts_layout_hash */
    uint32_t run_count, module_count;
};

/* A run of the union in a file. */
struct merge_origin {
    uint32_t run;
    uint32_t source, index;
};

struct merge_counts {
    const struct facts *facts; /* what is written */
    const uint64_t *layouts;   /* of each of its modules */
    const struct merge_source *sources;
    const struct merge_origin *origins; /* ascending run */
    uint32_t origin_count;
    bool folds;               /* several runs become one of the facts' */
    const uint32_t *group_of; /* of each run of the union: which; only with `folds` */
    struct err *err;
};

/* A run that several files have has the larger of each count: of a snapshot that was taken before
 * its end nothing is left. */
NODISCARD bool merge_counts_write(struct store_writer *writer, const struct merge_counts *m);

#endif

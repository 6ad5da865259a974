/* merge_counts.h - moves the counts of the merged files to their places in the union of their
 * facts, one run at a time, so that memory holds only one.
 * Errors: ERR_FORMAT a file has changed since its facts were read; the text names it. */
#pragma once

#include "base/progress.h"
#include "coverage/facts/store.h"

struct merge_source {
    const char *path;
    uint8_t digest[DIGEST_LEN];
    uint32_t *run, *module; /* their indices in the union; of a run NO_INDEX: it is left out */
    uint64_t *layouts;      /* per module: facts_layout_hash */
    uint64_t *detail;       /* per run: how much this file says of its tests */
    uint32_t run_count, module_count;
};

/* A run of the union in a file. */
struct merge_origin {
    uint32_t run;
    uint32_t source, index;
};

struct merge_counts {
    const struct facts *facts; /* facts of the result */
    const uint64_t *layouts;   /* per module */
    const struct merge_source *sources;
    const struct merge_origin *origins; /* ascending run */
    uint32_t origin_count;
    bool folds;               /* several runs become one run of `facts` */
    const uint32_t *group_of; /* per run of the union: the run of `facts`; only with `folds` */
    const struct progress_hook *progress;
    struct err *err;
};

/* A run that several files contain gets the larger of each count, so the final counts replace those
 * of an earlier snapshot. */
NODISCARD bool merge_counts_write(struct store_writer *writer, const struct merge_counts *m);

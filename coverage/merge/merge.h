/* merge.h - several data files made one: commutative, associative, and what is merged twice counts
 * once. Each run keeps its counts apart, so that merging knows a run again; --squash folds them.
 * Memory grows with the code, not with the number of files: they are read twice, one after another.
 * Errors: ERR_FORMAT, ERR_IO a file is not to be had, or damaged and `strict`; two inputs have a
 *         run in common that one of them folded; nothing to merge is left. The text names the
 *         file. */
#ifndef ILCOV_COVERAGE_MERGE_MERGE_H
#define ILCOV_COVERAGE_MERGE_MERGE_H

#include "coverage/facts/facts.h"

struct merge_options {
    bool squash;       /* one run of each kind is left */
    bool strict;       /* a damaged file is an error, not skipped */
    struct str root;   /* other tools' paths are looked for below it */
    const char *carry; /* a data file whose counts stand in for what did not run, or NULL */
};

struct merge_result {
    struct str *warnings; /* a file that was skipped, and why */
    uint32_t warning_count;
    struct str *notes; /* what was united how: a sentence each */
    uint32_t note_count;
    uint32_t file_count, run_count, module_count; /* modules that were not skipped */
    uint64_t carried_methods;
};

/* Writes `path`, which may be one of the inputs. */
NODISCARD bool merge_files(struct merge_result *out, const char *path, const char *const *inputs,
                           uint32_t input_count, const struct merge_options *options,
                           struct arena *arena, struct err *err);

#endif

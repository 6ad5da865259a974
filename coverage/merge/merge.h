/* merge.h - merges several data files into one: commutative, associative, and a file merged twice
 * counts once. Each run keeps its own counts, so that merging recognises a run again; --squash
 * folds them. Memory grows with the code, not with the number of files: each file is read twice.
 * Errors: ERR_FORMAT, ERR_IO a file cannot be read, or is damaged and `strict` is set; two inputs
 *         share a run that one of them folded; no input is left to merge. The text names the
 *         file. */
#pragma once

#include "base/progress.h"
#include "coverage/facts/facts.h"
#include "coverage/source/path_map.h"

struct merge_options {
    bool squash;                  /* keep one run of each kind */
    bool strict;                  /* a damaged file is an error, not skipped */
    struct str root;              /* other tools' paths are searched below it */
    const struct path_maps *maps; /* where sources are; or NULL */
    const char *carry; /* a data file whose counts stand in for code that did not run, or NULL */
    const struct progress_hook *progress; /* or NULL */
};

struct merge_result {
    struct str *warnings; /* skipped files, and why */
    uint32_t warning_count;
    struct str *notes; /* how builds were united: a sentence each */
    uint32_t note_count;
    uint32_t file_count, run_count, module_count; /* except skipped modules */
    uint64_t carried_methods;
};

/* Writes `path`, which may be one of the inputs. */
NODISCARD bool merge_files(struct merge_result *out, const char *path, const char *const *inputs,
                           uint32_t input_count, const struct merge_options *options,
                           struct arena *arena, struct err *err);

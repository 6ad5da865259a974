/* output_names.h - which files a run writes: those that it was told to, unless another run wrote
 * one of them since this one began. Then that file stays, and this run's gets a name beside it,
 * such as run-2.ilcov, in a line of its own: two runs at once in one folder keep both results.
 * Owner:  all strings live in the arena, or are the options'. */
#pragma once

#include "cli/options/publish_options.h"
#include "system/file_status.h"

struct output_names {
    struct file_version data;
    struct file_version *reports; /* one for each of the formats */
};

/* What there is before the run. */
NODISCARD bool output_names_open(struct output_names *out, const struct publish_options *options,
                                 struct arena *arena, struct err *err);

/* The options with the names of the files that may be written now. To be called by one run at a
 * time (output_names_take_turn). */
NODISCARD bool output_names_choose(struct publish_options *out, const struct output_names *before,
                                   const struct publish_options *options, struct arena *arena,
                                   struct err *err);

/* From choosing names until the files are written. Waits for other runs of this folder, though not
 * for ever: a run that writes for minutes does not hold up the others. turn_end ends it. */
int output_names_take_turn(void);

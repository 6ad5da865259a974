/* filter_options.h - which code a report or a difference leaves out. */
#ifndef ILCOV_CLI_BASE_FILTER_OPTIONS_H
#define ILCOV_CLI_BASE_FILTER_OPTIONS_H

#include "cli/base/option_values.h"

struct filter_options {
    struct option_list exclude;             /* patterns */
    struct option_list exclude_files;       /* globs, of paths below the root */
    struct option_choice include_generated; /* not given: as the runs did (facts.h) */
};

extern const struct option_row exclude_rows[]; /* --exclude, from what was measured */
extern const struct option_row filter_rows[];  /* --exclude-files, --include-generated */

#endif

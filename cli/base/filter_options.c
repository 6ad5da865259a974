#include "cli/base/filter_options.h"

const struct option_row exclude_rows[] = {
    {.letter = 'x',
     .name = "exclude",
     .argument = "PATTERN",
     .take = option_take_pattern,
     .field = offsetof(struct filter_options, exclude),
     .help = "leave out what matches [assembly]type",
     .more = "May be repeated. The pattern is that of --include of 'run'. Code that 'run' left out "
             "stays left out."},
    {.name = NULL},
};

const struct option_row measure_exclude_rows[] = {
    {.letter = 'x',
     .name = "exclude",
     .argument = "PATTERN",
     .take = option_take_pattern,
     .field = offsetof(struct filter_options, exclude),
     .help = "leave [assembly]type out; overrides --include",
     .more = "May be repeated. The pattern is that of --include."},
    {.name = NULL},
};

const struct option_row exclude_files_rows[] = {
    {.name = "exclude-files",
     .argument = "GLOB",
     .take = option_take_item,
     .field = offsetof(struct filter_options, exclude_files),
     .help = "leave out source files by path below the root",
     .more = "May be repeated. * and ** both match any characters, including slashes. A data file "
             "remembers which files were left out, so that a later 'report' leaves them out, too."},
    {.name = NULL},
};

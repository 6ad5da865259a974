#include "cli/base/talk_options.h"

#include "cli/base/option_values.h"

const struct option_row quiet_rows[] = {
    {.letter = 'q',
     .name = "quiet",
     .take = option_take_flag,
     .field = offsetof(struct talk_options, quiet),
     .help = "print only warnings, failed gates and errors",
     .more = "No summary and no progress. Files are written as usual, and the exit status is the "
             "same."},
    {.name = NULL},
};

const struct option_row verbose_rows[] = {
    {.letter = 'v',
     .name = "verbose",
     .take = option_take_flag,
     .field = offsetof(struct talk_options, verbose),
     .help = "list everything that was left out, with the reason",
     .more = "Also lists each process, and exclusion comments that have no effect."},
    {.name = NULL},
};

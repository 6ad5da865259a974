/* talk_options.h - how much a verb says besides what it was asked to write. */
#ifndef ILCOV_CLI_BASE_TALK_OPTIONS_H
#define ILCOV_CLI_BASE_TALK_OPTIONS_H

#include "cli/base/verb.h"

struct talk_options {
    bool quiet;   /* only warnings, failed gates and errors: no summary, no progress */
    bool verbose; /* also what was left out, and why */
};

extern const struct option_row quiet_rows[], verbose_rows[];

#endif

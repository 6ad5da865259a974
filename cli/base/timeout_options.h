/* timeout_options.h - how long a verb waits for what a process has to do. */
#ifndef ILCOV_CLI_BASE_TIMEOUT_OPTIONS_H
#define ILCOV_CLI_BASE_TIMEOUT_OPTIONS_H

#include "cli/base/verb.h"

enum {
    TIMEOUT_MS = 10 * 1000 /* if nothing is said */
};

struct timeout_options {
    uint32_t ms;
};

/* Of a verb that has this option and no other. */
extern const struct option_group timeout_groups[];
NODISCARD bool timeout_finish(void *parsed, const struct operands *operands,
                              const struct option_taking *taking, struct err *err);

#endif

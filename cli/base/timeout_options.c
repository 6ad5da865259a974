#include "cli/base/timeout_options.h"

#include "cli/base/option_values.h"

static const struct option_row rows[] = {
    {.name = "timeout",
     .argument = "TIME",
     .take = option_take_time,
     .field = offsetof(struct timeout_options, ms),
     .help = "how long to wait for the program, for example 500ms or 2m (default 10s)",
     .is_number = true},
    {.name = NULL},
};

const struct option_group timeout_groups[] = {{rows, 0, NULL}, {NULL, 0, NULL}};

bool timeout_finish(void *parsed, const struct operands *operands,
                    const struct option_taking *taking, struct err *err)
{
    struct timeout_options *options = parsed;
    (void)operands, (void)taking, (void)err;
    if (options->ms == 0)
        options->ms = TIMEOUT_MS;
    return true;
}

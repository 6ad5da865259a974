/* gate_options.h - what coverage must be for status 0. */
#pragma once

#include "base/list.h"
#include "cli/options/option_values.h"

struct gate_options {
    struct list list;         /* struct gate; --fail-under is one, the first */
    const char *base, *patch; /* or NULL */
    const char *base_root;    /* of BASE's sources; or NULL */
};

/* Does one of them compare with BASE or a patch? */
bool gate_options_compare(const struct gate_options *gates);

/* --fail-under, --base, --gate, --patch, --base-root */
extern const struct option_row threshold_rows[];
#define gate_rows (threshold_rows + 2) /* without the first two */

/* gate_options.h - what coverage must be for status 0. */
#ifndef ILCOV_CLI_BASE_GATE_OPTIONS_H
#define ILCOV_CLI_BASE_GATE_OPTIONS_H

#include "cli/base/option_values.h"

struct gate_options {
    struct option_percent fail_under;
    struct option_list gates; /* each is one (coverage/diff/gate.h) */
    const char *base, *patch; /* or NULL */
    bool compares;            /* one of them was typed: it is a mistake if nothing compares */
    const char *base_root;    /* of BASE's sources; or NULL */
};

extern const struct option_row threshold_rows[]; /* --fail-under, --base */
extern const struct option_row gate_rows[];      /* --gate, --patch, --base-root */

#endif

/* settings_environment.h - settings in variables: ILCOV_FAIL_UNDER=80. Values of an option that
 * repeats are separated by semicolons or line ends. An empty variable counts as not set.
 * Owner: values live in the arena, or in the environment. */
#ifndef ILCOV_CLI_SETTINGS_SETTINGS_ENVIRONMENT_H
#define ILCOV_CLI_SETTINGS_SETTINGS_ENVIRONMENT_H

#include "cli/base/options.h"

/* What the environment says about the verb's option; `out` stays if that is nothing. ERR_USAGE: a
 * flag is neither true nor false. */
NODISCARD bool settings_environment(struct option_given *out, const struct command_line *line,
                                    const struct option_row *row, struct arena *arena,
                                    struct err *err);

/* Names each variable that is nearly one of a setting, on standard error. */
NODISCARD bool settings_environment_check(const struct verb *const *verbs, struct arena *arena,
                                          struct err *err);

#endif

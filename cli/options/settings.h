/* settings.h - what options are when they are not typed: what the environment says
 * (ILCOV_FAIL_UNDER=80; an empty variable counts as not set), then the settings file, then nothing.
 * A list of a higher place replaces that of a lower one.
 * Owner: values live in the arena, or in the environment. */
#pragma once

#include "cli/options/options.h"

/* For struct command_line. */
bool settings_look(struct option_given *given, const char **file, const struct command_line *line,
                   const char *config, struct arena *arena, struct err *err);

/* The same; a variable that is nearly one of a setting is named on standard error. */
bool settings_find(struct option_given *given, const char **file, const struct command_line *line,
                   const char *config, struct arena *arena, struct err *err);

/* Names each variable that is nearly one of a setting, on standard error. */
NODISCARD bool settings_check_variables(const struct verb *const *verbs, struct arena *arena,
                                        struct err *err);

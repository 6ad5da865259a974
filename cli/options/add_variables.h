/* add_variables.h - settings that a project has for its test runs, with variables of the
 * environment added. All else stays; a variable that is set already gets the new value.
 * Owner:  the text lives in the arena.
 * Errors: ERR_FORMAT with "PATH:LINE: " or "PATH: "; ERR_LIMIT; ERR_MEMORY. */
#pragma once

#include "base/text.h"

struct addition {
    const char *path; /* of the settings, for messages */
    struct view bytes;
    char *const *variables; /* "NAME=value", ends with NULL */
};

typedef bool add_variables(struct str *out, const struct addition *addition, struct arena *arena,
                           struct err *err);

/* .runsettings of VSTest: to RunConfiguration's EnvironmentVariables. */
NODISCARD bool add_to_runsettings(struct str *out, const struct addition *addition,
                                  struct arena *arena, struct err *err);

/* testconfig.json of Microsoft.Testing.Platform. Comments are left out. */
NODISCARD bool add_to_testconfig(struct str *out, const struct addition *addition,
                                 struct arena *arena, struct err *err);

/* launchSettings.json: a profile "ilcov", which is the first one that starts the project, with the
 * variables. Comments are left out. */
NODISCARD bool add_to_launchsettings(struct str *out, const struct addition *addition,
                                     struct arena *arena, struct err *err);

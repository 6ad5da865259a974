/* shell.h - variables in the format of the tool that starts a program with them: a shell, a
 * container, a CI system. Settings of test runs are cli/options/add_variables.h's. */
#pragma once

#include "base/text.h"

enum env_shell {
    SHELL_SH,
    SHELL_PWSH,
    SHELL_RUNSETTINGS,
    SHELL_TESTCONFIG,
    SHELL_LAUNCHSETTINGS,
    SHELL_DOCKER,
    SHELL_GITHUB,
    SHELL_GITLAB,
};

struct shell_request {
    char *const *variables; /* "NAME=value", ends with NULL */
    const char *session, *library;
};

/* Can these paths be written for the shell? ERR_UNSUPPORTED says which can't. */
NODISCARD bool shell_can_write(enum env_shell shell, const struct shell_request *request,
                               struct err *err);

/* All of the text, with its last line end. Not of a shell that is a kind of settings. */
NODISCARD bool shell_write(struct str *out, enum env_shell shell,
                           const struct shell_request *request, struct arena *arena,
                           struct err *err);

/* config.h - reads a session's config file (format: session_format.h), written by the program. */
#pragma once

#include "contract/mode.h"
#include "profiler/session/session_folder.h"
#include "scope/scope.h"

struct config {
    struct scope scope;
    enum count_mode mode;
    bool control;  /* start the control thread (control.h) */
    bool per_test; /* tell hits apart by context (contexts.h) */
};

/* Patterns are views into a copy of the file in the arena. ERR_IO, ERR_FORMAT. */
NODISCARD bool config_read(struct config *out, const struct folder *folder, struct arena *arena,
                           struct err *err);

/* environment.h - the variables and the library that decide whether .NET loads ilcov's profiler.
 * .NET silently ignores a profiler that it can't or may not load, and the program runs on: so `run`
 * refuses beforehand what is known to fail, and `doctor` shows it. Source: dotnet/runtime
 * src/coreclr/vm/profilinghelper.cpp, "AttemptLoadProfilerForStartup". */
#pragma once

#include "base/path.h"
#include "base/text.h"

enum {
    CONFLICTS_MAX = 4
};

/* Settings that keep ilcov's profiler from loading; each text says what to do. */
struct conflicts {
    char texts[CONFLICTS_MAX][400];
    uint32_t count;
};
void environment_conflicts(struct conflicts *out);

/* The library next to the running program. ERR_IO if there is none; ERR_UNSUPPORTED if another user
 * could have changed it (system/user.h). */
NODISCARD bool environment_library(char path[PATH_ROOM], struct err *err);

/* Where the page `name` of the documentation is on this machine, for a message that names it:
 * installed with the program, or in the tree that it was built in; else "docs/<name>". Returns
 * `path`. */
const char *environment_document(char path[PATH_ROOM], const char *name);

/* Can it be loaded here? Its file says so. It is not loaded, because the targets may have another
 * C library than this program. */
NODISCARD bool environment_loads(const char *library, struct err *err);

/* What makes .NET load the library and the library find the session: "NAME=value", ends with
 * NULL. */
NODISCARD char **environment_own(const char *library, const char *session, struct arena *arena,
                                 struct err *err);

/* This process's environment plus what makes .NET load the library and the library find the
 * session. Ends with NULL. */
NODISCARD char **environment_for_target(const char *library, const char *session,
                                        struct arena *arena, struct err *err);

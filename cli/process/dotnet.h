/* dotnet.h - which .NET installations there are on this machine, found by looking at directories:
 * `dotnet` is not run. Source: dotnet/designs, "install-locations.md". */
#pragma once

#include "base/err.h"
#include "base/path.h"

enum {
    DOTNET_ROOTS_MAX = 8,
    DOTNET_RUNTIMES_MAX = 32,
    DOTNET_VERSION_ROOM = 64
};

struct dotnet_roots {
    char paths[DOTNET_ROOTS_MAX][PATH_ROOM];
    uint32_t count;
};

/* The installation of `dotnet` on PATH, DOTNET_ROOT, the registered one and the usual places; each
 * once. */
void dotnet_roots(struct dotnet_roots *out);

struct dotnet_runtimes {
    char versions[DOTNET_RUNTIMES_MAX][DOTNET_VERSION_ROOM]; /* ascending */
    uint32_t count;
};

/* Installed versions of a shared framework; of Microsoft.NETCore.App, those that have a runtime. */
void dotnet_versions(struct dotnet_runtimes *out, const char *root, const char *framework);
void dotnet_runtimes(struct dotnet_runtimes *out, const char *root);

/* Is this runtime built for the same processor and C library as libilcov.so? */
NODISCARD bool dotnet_fits(const char *root, const char *version, const char *library,
                           struct err *err);

/* Is the program compiled ahead of time (PublishAot)? Then it has no IL. */
bool dotnet_is_native(const char *path);

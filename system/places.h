/* places.h - where things are on this system. */
#pragma once

#include "base/base.h"

/* Where .NET is installed, and what its runtime is called there. Source: dotnet/designs,
 * "install-locations.md". */

#define DOTNET_RUNTIME_LIBRARY "libcoreclr.so"

/* The registered place and the usual ones, best first. Not all need exist. The path is valid during
 * the call. */
void dotnet_places_visit(void (*take)(void *context, const char *path), void *context);

/* Folders in which a session may be created if the user names none: in memory, where the user wants
 * temporary files ($TMPDIR), where the system has them. Not all need exist. */

/* The one in memory: the first. */
#define SESSION_PLACE_IN_MEMORY "/dev/shm"

enum {
    SESSION_PLACES_MOST = 3
};

/* How many there are, best first. They stay valid until the environment is changed. */
size_t session_places(const char *out[SESSION_PLACES_MOST]);

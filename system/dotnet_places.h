/* dotnet_places.h - where .NET is installed on this system, and what its runtime is called there.
 * Source: dotnet/designs, "install-locations.md". */
#ifndef ILCOV_SYSTEM_DOTNET_PLACES_H
#define ILCOV_SYSTEM_DOTNET_PLACES_H

#define DOTNET_RUNTIME_LIBRARY "libcoreclr.so"

/* The registered place and the usual ones, best first. Not all need exist. The path is valid during
 * the call. */
void dotnet_places_visit(void (*take)(void *context, const char *path), void *context);

#endif

/* stale_build.h - before a command that builds nothing: are the sources those that its assemblies
 * were built from? */
#pragma once

#include "cli/publish/measurement.h"

/* Of `dotnet test --no-build`, `dotnet run --no-build`, `dotnet App.dll` and the program of an
 * application: prints a line if a source that would be measured has changed since the build. Any
 * other command builds, or what it starts is not known. */
void stale_build_say(struct measurement *measurement);

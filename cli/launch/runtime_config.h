/* runtime_config.h - which frameworks an application needs: *.runtimeconfig.json beside it.
 * Source: dotnet/sdk documentation/specs/runtime-configuration-file.md; roll-forward.md. */
#ifndef ILCOV_CLI_LAUNCH_RUNTIME_CONFIG_H
#define ILCOV_CLI_LAUNCH_RUNTIME_CONFIG_H

#include "base/arena.h"
#include "base/text.h"

/* The first framework of the assembly's runtimeconfig.json of which `root`, an installation of
 * .NET, has no version that the host would choose: "Microsoft.NETCore.App 9.0.0". Empty when all
 * are there, or when it is not certain: a roll-forward setting other than the usual one, a file
 * that can't be read. */
NODISCARD bool runtime_config_missing(struct str *out, struct str assembly, const char *root,
                                      struct arena *arena, struct err *err);

#endif

/* intermediate_folder.h - does a source lie in the folder that a build makes for itself, `obj`? A
 * user's folder may have that name, too (obj/Mesh.cs of a program that reads models), so one of
 * these must hold:
 *
 *   - the path goes on as a build's does: obj/Debug/net10.0/, obj/x64/Release/, and
 *     artifacts/obj/App/debug/;
 *   - the folder is on this machine, and NuGet's project.assets.json is in it or in the folder
 *     after it, or a project file lies beside it: MSBuild compiles nothing below such a folder by
 *     itself;
 *   - the folder is not on this machine, and the path goes on with Debug or Release. */
#ifndef ILCOV_COVERAGE_GENERATED_INTERMEDIATE_FOLDER_H
#define ILCOV_COVERAGE_GENERATED_INTERMEDIATE_FOLDER_H

#include "base/text.h"

/* `path` as the compiler wrote it, with '/' or '\\'; `place` where it would be on this machine,
 * absolute, or empty. False only without memory. */
NODISCARD bool intermediate_folder_holds(bool *out, struct str path, struct str place,
                                         struct arena *arena, struct err *err);

#endif

/* project_output.h - which assembly a build made of a project. MSBuild leaves a list of what it
 * wrote in the folder where it compiled, obj/Debug/net10.0/NAME.csproj.FileListAbsolute.txt or
 * artifacts/obj/NAME/debug/, beside the assembly and its symbols: so names, output folders and
 * frameworks need not be worked out from the project. Without such a list, bin/ is searched for an
 * assembly with the project's name.
 * Of several (configurations, frameworks) that one is taken whose folders most of all occur in the
 * paths of what was measured; then the newest.
 * Owner:  the arena. */
#pragma once

#include "coverage/collect/solution.h"

/* *out empty: it was not built. `measured`: paths of assemblies. */
NODISCARD bool project_output_find(struct str *out, const struct solution_project *project,
                                   struct str solution_folder, const struct str *measured,
                                   uint32_t measured_count, struct arena *arena, struct err *err);

/* The folder where that build put the assembly, beside those that it needs: MSBuild's list has it;
 * without one, that of the assembly. */
NODISCARD bool project_output_folder(struct str *out, const struct solution_project *project,
                                     struct str assembly, struct arena *arena, struct err *err);

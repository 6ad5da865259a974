/* deps.h - *.deps.json: which assemblies beside an application came from packages, and which
 *         from projects.
 * Source: dotnet/sdk documentation/specs/runtime-configuration-file.md. It has its own JSON
 *         scanner, because the library inside the target links only libc; it reads the two objects
 *         it needs and skips the rest.
 * Errors: ERR_FORMAT not JSON or not of this shape. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

enum {
    DEPS_LEN_MAX = 64 << 20
};

struct deps {
    /* "Newtonsoft.Json.dll": file names of runtime assets of libraries of type package, and of
     * type runtimepack: the framework that a self-contained application brings along */
    struct str *package_files;
    uint32_t package_count;
    struct str *project_files; /* of libraries of type project */
    uint32_t project_count;
};

/* Strings are copied into the arena (JSON escapes undone). */
NODISCARD bool deps_read(struct deps *out, struct view json, struct arena *arena, struct err *err);

/* Is `file_name` among the package files, or those of projects? Case-insensitive in ASCII, as
 * assembly names are. */
bool deps_is_package(const struct deps *deps, struct str file_name);
bool deps_is_project(const struct deps *deps, struct str file_name);

/* settings_path.h - paths of settings: where the file is, and what a relative path in it means.
 * Owner:  what is found lives in the arena.
 * Errors: ERR_USAGE a path that the file may not name; ERR_IO, ERR_MEMORY. */
#pragma once

#include "cli/options/verb.h"

#define SETTINGS_FILE_NAME "ilcov.json"

/* What `value` of the option means in the settings file `path`: relative paths are relative to the
 * file's folder. What is no path stays. */
NODISCARD bool settings_path_resolve(const char **out, const char *value,
                                     const struct option_row *row, const char *path,
                                     struct arena *arena, struct err *err);

/* May a settings file that nobody named say that `value`, which is resolved, is written? It may be
 * a stranger's: what it names stays in its folder, wherever links lead, and out of git's. */
NODISCARD bool settings_path_check(const char *value, const struct option_row *row,
                                   const char *path, struct err *err);

/* The nearest settings file: in the current directory or above it, up to the top of the git work
 * tree. Outside of one, in the current directory. *out is NULL if there is none. */
NODISCARD bool settings_path_find(const char **out, struct arena *arena, struct err *err);

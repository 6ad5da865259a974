/* import.h - settings of other tools as ilcov's: those of coverlet and of Microsoft's collector in
 * a .runsettings file, and coverlet's properties in a project or .props file.
 *
 * What has a counterpart becomes a setting; of the rest each is named with its reason. Nothing is
 * guessed: a regular expression becomes a pattern only if both match the same.
 * Owner:  everything lives in the arena.
 * Errors: ERR_IO, ERR_LIMIT, ERR_FORMAT (no XML, or none that has such settings), all with the
 *         path; ERR_MEMORY. */
#ifndef ILCOV_CLI_SETTINGS_IMPORT_H
#define ILCOV_CLI_SETTINGS_IMPORT_H

#include <stdio.h>

#include "cli/base/verb.h"
#include "cli/settings/imported.h"

/* Values that the option of the setting refuses have no counterpart. */
NODISCARD bool import_read(struct import *out, const char *path, const struct verb *const *verbs,
                           struct arena *arena, struct err *err);

/* The same for bytes; `path` is in messages. */
NODISCARD bool import_parse(struct import *out, struct view bytes, const char *path,
                            const struct verb *const *verbs, struct arena *arena, struct err *err);

/* A settings file, with comments that say what each setting was, and what has no counterpart. */
void import_print(FILE *out, const struct import *import);

#endif

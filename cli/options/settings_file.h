/* settings_file.h - a settings file: what it says, held against the tables of the verbs.
 *
 *   {
 *       "failUnder": 80,               // of each verb that has --fail-under
 *       "report": {"format": "html"}   // of `ilcov report` alone
 *   }
 *
 * "$schema" is for editors. A name that is no option, a value of the wrong type, a name that occurs
 * twice are errors. Relative paths are relative to the file's folder; of a format's path that is
 * the part after '='.
 * Owner:  what is read lives in the arena.
 * Errors: ERR_USAGE with "FILE:LINE: " or "FILE:LINE:COLUMN: "; with "FILE: " ERR_IO and
 *         ERR_LIMIT (more than SETTINGS_FILE_MAX bytes); ERR_MEMORY. */
#pragma once

#include "cli/options/verb.h"

enum {
    SETTINGS_FILE_MAX = 1 << 20
};

struct setting {
    const struct verb *verb; /* whose section it is in, or NULL */
    const struct option_row *row;
    const char **values; /* as they would be typed; of a flag "yes" or "no" */
    size_t count;
    uint32_t line;
};

struct settings_file {
    const char *path;
    struct setting *items; /* each key of a section once */
    size_t count;
};

NODISCARD bool settings_file_read(struct settings_file *out, const char *path,
                                  const struct verb *const *verbs, struct arena *arena,
                                  struct err *err);

/* The same for a text; `path` is in errors and makes relative paths absolute. */
NODISCARD bool settings_file_parse(struct settings_file *out, struct str text, const char *path,
                                   const struct verb *const *verbs, struct arena *arena,
                                   struct err *err);

/* import_pattern.h - patterns of other tools as those of ilcov.
 *
 *   filters of coverlet    [assembly]type; `*` any characters, but `x?` is an x that may be missing
 *   globs of coverlet      `*` within a folder, `**` any number of folders; of the whole path
 *   regular expressions    ECMAScript; of Microsoft's collector
 *
 * Owner: values live in the arena. */
#ifndef ILCOV_CLI_SETTINGS_IMPORT_PATTERN_H
#define ILCOV_CLI_SETTINGS_IMPORT_PATTERN_H

#include "base/text.h"

enum {
    IMPORT_PATTERNS_MAX = 8
};

/* What one pattern becomes. */
struct import_patterns {
    struct str items[IMPORT_PATTERNS_MAX];
    size_t count;        /* 0: nothing that is the same */
    const char *why;     /* if there are none; or how they differ, or NULL */
    struct str nearest;  /* if there are none: what is near, or empty */
    bool matches_always; /* it need not be said */
};

NODISCARD bool import_filter(struct import_patterns *out, struct str filter, struct arena *arena,
                             struct err *err);
NODISCARD bool import_glob(struct import_patterns *out, struct str glob, struct arena *arena,
                           struct err *err);
NODISCARD bool import_module_regex(struct import_patterns *out, struct str regex,
                                   struct arena *arena, struct err *err);
NODISCARD bool import_source_regex(struct import_patterns *out, struct str regex,
                                   struct arena *arena, struct err *err);
NODISCARD bool import_function_regex(struct import_patterns *out, struct str regex,
                                     struct arena *arena, struct err *err);
NODISCARD bool import_attribute_regex(struct import_patterns *out, struct str regex,
                                      struct arena *arena, struct err *err);

#endif

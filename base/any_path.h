/* any_path.h - a path as a compiler, a build, a report or a user wrote it, on whatever system: '/'
 * and '\' both separate its parts, and a drive may begin it. Paths of this machine are
 * base/path.h's. */
#ifndef ILCOV_BASE_ANY_PATH_H
#define ILCOV_BASE_ANY_PATH_H

#include "base/text.h"

bool any_path_separates(char c);

/* "C:" */
bool any_path_has_drive(struct str path);

/* Does it begin with a separator, or with a drive? */
bool any_path_is_absolute(struct str path);

/* The part that begins at `*at`, which then is after the separator that follows. */
struct str any_path_part(struct str path, size_t *at);

/* The part after the last separator. */
struct str any_path_file(struct str path);

/* A copy with '/' between its parts. */
NODISCARD bool any_path_with_slashes(struct str *out, struct str path, struct arena *arena,
                                     struct err *err);

#endif

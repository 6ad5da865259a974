/* path.h - the parts of a path as text, without access to the file system. What separates them only
 * this file knows: '/' in paths of this machine. Those of formats and reports have '/' on every
 * system. */
#pragma once

#include "base/text.h"

enum {
    PATH_ROOM = 4096 /* for a path and its NUL: the most that a system allows */
};

/* The part before the last '/'; "/" for a file in the root; empty if there is no '/'. */
struct str path_dir(struct str path);

/* The part after the last '/'. */
struct str path_file(struct str path);

/* The path without its extension: without what begins at the last '.' of the last part, unless that
 * begins with it. */
struct str path_stem(struct str path);

/* The part that begins at `*at`, which then is after the separator that follows. */
struct str path_part(struct str path, size_t *at);

/* Is it something below the folder, whose path does not end with a separator? */
bool path_is_below(struct str path, struct str folder);

/* Does it begin at the root? */
bool path_is_absolute(struct str path);

/* "folder/path". */
NODISCARD bool path_join(struct str *out, struct str folder, struct str path, struct arena *arena,
                         struct err *err);
/* The same without memory; `folder` may be `out`. False, with an empty `out`, if it is longer. */
NODISCARD bool path_join_in(char out[PATH_ROOM], struct str folder, struct str path);

/* Without parts "." and "..", as far as the text alone shows: ".." remains at the start of a path
 * that is not absolute. A NUL follows. */
NODISCARD bool path_tidy(struct str *out, struct str path, struct arena *arena, struct err *err);

/* A path as a compiler, a build, a report or a user wrote it, on whatever system: '/' and '\' both
 * separate its parts, and a drive may begin it. */
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

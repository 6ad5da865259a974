/* output_path.h - where writing to a path leads: the file that it makes or replaces, and the
 * directories above it.
 * Errors: ERR_IO, without the path: the caller knows it. */
#pragma once

#include "base/path.h"

/* The absolute path without links, "." and "..". Unlike realpath it also follows a link that leads
 * to nothing, and a path whose directories do not exist yet. */
NODISCARD bool output_path(char out[PATH_ROOM], const char *path, struct err *err);

/* Creates the directories above `path`, which is one of output_path. *existing_len gets the length
 * of the part of it that was there before. */
NODISCARD bool output_path_make_parents(size_t *existing_len, const char *path, struct err *err);

/* Removes the directories that this created, as far as they are empty. */
void output_path_remove_parents(const char *path, size_t existing_len);

/* Equal paths, or one file or directory under two names, even if it does not exist yet. "-", the
 * standard output, is equal only to itself. */
bool same_file(const char *a, const char *b);

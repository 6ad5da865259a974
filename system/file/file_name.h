/* file_name.h - names of files and folders: made, changed and removed.
 * Errors: false, with the system's reason in errno, for err_set_errno.
 * Target: safe to call there on any thread: no locks, no allocations, libc only. */
#ifndef ILCOV_SYSTEM_FILE_FILE_NAME_H
#define ILCOV_SYSTEM_FILE_FILE_NAME_H

#include "base/path.h"

/* Removes a file, not a folder. */
bool file_remove(const char *path);
bool file_remove_in(int folder, const char *name);

/* Replaces a file of the new name. */
NODISCARD bool file_rename(const char *from, const char *to);
NODISCARD bool file_rename_in(int from_folder, const char *from, int to_folder, const char *to);

/* Makes a folder for this user alone; letters that nobody can guess take the place of the six X at
 * the end of `path`. */
NODISCARD bool file_make_unique_folder(char *path);
/* Only an empty one: ENOTEMPTY. */
bool file_remove_folder(const char *path);

/* The absolute path without links, "." and "..", of what is there. */
NODISCARD bool file_real_path(char out[PATH_ROOM], const char *path);
/* The current folder. */
NODISCARD bool file_current_folder(char out[PATH_ROOM]);

#endif

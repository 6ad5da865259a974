/* output_folder.h - a folder that is filled with files, each whole or not at all (whole_file.h).
 * Names may come from the data, such as the paths of sources, so a name that leads out of the
 * folder is refused. Links in the folder are not followed.
 * Errors: ERR_IO, without the name of the folder or file. */
#pragma once

#include "base/text.h"
#include "system/whole_file.h"

/* Creates the folder and those above it. An existing one keeps its contents. */
NODISCARD bool output_folder_make(const char *path, struct err *err);

/* Can files be written there? Leaves no trace. */
NODISCARD bool output_folder_check(const char *path, struct err *err);

/* Like output_open. `name` is relative to the folder, such as "src/Order.html"; the folders in it
 * are created. `last`: tells which of them the last file was in, 0 for the first. */
NODISCARD bool output_folder_open_file(struct output *out, const char *folder, const char *name,
                                       uint64_t *last, struct err *err);

/* Removes the regular files in `name`, a folder in it ("": the folder itself), for which `is_stale`
 * says so and that have `mark` near their start or end. What cannot be removed stays; so do links.
 * If the folder in it is empty then, it is removed as well. */
void output_folder_remove(const char *folder, const char *name, struct str mark,
                          bool (*is_stale)(void *context, struct str file), void *context);

/* Does the folder hold a regular file of this name that has `mark` near its start or end? */
bool output_folder_has_marked(const char *folder, const char *name, struct str mark);

/* Does the folder hold a file of this name with exactly these bytes? */
bool output_folder_has(const char *folder, const char *name, struct str bytes);

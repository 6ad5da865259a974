/* output_folder.h - a folder that is filled with files, each whole or not at all (whole_file.h).
 * Names may come from what is written about, such as the paths of sources, so one that leads out of
 * the folder is refused. A link in the folder is not followed, whatever its name.
 * Errors: ERR_IO, without the name of the folder; of a file, without the file's. */
#ifndef ILCOV_SYSTEM_OUTPUT_FOLDER_H
#define ILCOV_SYSTEM_OUTPUT_FOLDER_H

#include "system/whole_file.h"

/* Makes the folder, not those above it. One that exists keeps what is in it. */
NODISCARD bool output_folder_make(const char *path, struct err *err);

/* Can files be written there? Leaves nothing behind. */
NODISCARD bool output_folder_check(const char *path, struct err *err);

/* As output_open. `name` is relative to the folder, such as "src/Order.html"; the folders that it
 * names are made. */
NODISCARD bool output_folder_open_file(struct output *out, const char *folder, const char *name,
                                       struct err *err);

#endif

/* destination.h - where a writer's output goes: a standard stream, a file, or a directory of files.
 * A file appears whole or not at all, including files in a directory: it is written under a
 * temporary name in the same folder, then renamed (system/whole_file.h).
 * Owner:  files are open between destination_open and destination_commit or destination_abandon.
 * Errors: ERR_IO if it can't be written; then neither a file nor a temporary one is left. The texts
 *         do not name the destination, but they do name a file in a directory. */
#pragma once

#include "base/text.h"
#include "reporters/screen.h"
#include "system/whole_file.h"

/* A path; NULL is standard error. */
#define DESTINATION_STDOUT "-"

enum destination_kind {
    DESTINATION_FILE, /* or a standard stream */
    DESTINATION_DIRECTORY
};

struct destination {
    FILE *file;           /* open for writing; NULL in a directory */
    struct screen screen; /* for people: in colour on a terminal, unless NO_COLOR is set; in ASCII
                             on a standard stream, unless its locale has UTF-8 */
    const char *folder;   /* of a directory, else NULL */
    uint64_t last_folder; /* output_folder_open_file */
    struct output output; /* of `file` */
};

/* "standard error", "standard output", or the path. */
const char *destination_name(const char *path);

/* Can it be written? Leaves no files. */
NODISCARD bool destination_check(const char *path, enum destination_kind kind, struct err *err);

/* Is it the file that $GITHUB_STEP_SUMMARY names? All steps of a job on GitHub write there, so a
 * report comes after what it has. */
bool destination_appends(const char *path);

NODISCARD bool destination_open(struct destination *out, const char *path,
                                enum destination_kind kind, struct err *err);
/* A failed commit also abandons. Committed files in a directory stay. */
NODISCARD bool destination_commit(struct destination *destination, struct err *err);
void destination_abandon(struct destination *destination);

/* A file of a directory, such as "src/Order.html"; a name that leads out of it is refused. Reports
 * have thousands of files: one that has these bytes is left as it is, and the others are not
 * flushed to the disk one by one (output_skip_sync). */
NODISCARD bool destination_put_file(struct destination *directory, const char *name,
                                    struct str bytes, struct err *err);

/* Removes files of an earlier report next to the file `path` (output_folder.h). */
void destination_remove_beside(const char *path, struct str mark,
                               bool (*is_stale)(void *context, struct str file), void *context);

/* Is there a file or folder at the path, or nothing? No link, pipe or device. */
bool destination_is_plain(const char *path);

/* Is there anything at the path? */
bool destination_exists(const char *path);

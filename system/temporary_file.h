/* temporary_file.h - a file `.ilcov-<pid>-<n>.tmp` in which an output is made before it gets its
 * name. It is locked with flock(2) while its process lives, so that one that a killed process left
 * can be told from one in use, also by a process in another container.
 * Owner:  the caller renames or unlinks the file, and closes both descriptors. */
#pragma once

#include "base/path.h"
#include "base/text.h"

struct temporary_file {
    int fd;               /* to write to; the caller may close it */
    int lock;             /* another descriptor of the same file, which holds the lock */
    char path[PATH_ROOM]; /* empty: there is none */
};

/* False with errno: the file cannot be created; ENAMETOOLONG: its path is longer than PATH_ROOM. */
NODISCARD bool temporary_file_create(struct temporary_file *out, struct str folder);

/* Removes the file and closes both descriptors, for one that never gets its name. */
void temporary_file_remove(struct temporary_file *file);

/* Where files go that nobody asked for: $TMPDIR, or TEMPORARY_FOLDER. */
#define TEMPORARY_FOLDER "/tmp"
const char *temporary_folder(void);

/* Removes those files of this user in the folder that killed processes left. Reads all of the
 * folder. */
void temporary_file_sweep(struct str folder);

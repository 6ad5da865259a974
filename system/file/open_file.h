/* open_file.h - opens, makes and closes files and folders. An open file is a small number, as for
 * C's own; -1 is none. Programs that are started do not inherit it, opening does not wait for a
 * pipe unless asked to, and a file that is made belongs to this user alone (mode 0600).
 * Errors: -1, with the system's reason in errno, for err_set_errno.
 * Target: safe to call there on any thread: no locks, no allocations, libc only. */
#ifndef ILCOV_SYSTEM_FILE_OPEN_FILE_H
#define ILCOV_SYSTEM_FILE_OPEN_FILE_H

#include "base/base.h"

enum file_use {
    FILE_READ = 1 << 0,
    FILE_WRITE = 1 << 1,
    FILE_APPEND = 1 << 2,  /* each write goes to the end, also of what others have written */
    FILE_MAKE = 1 << 3,    /* made if it is not there */
    FILE_NEW = 1 << 4,     /* made; EEXIST if it is there */
    FILE_NO_LINK = 1 << 5, /* ELOOP for a link; the folders above may be links */
    FILE_FOLDER = 1 << 6,  /* ENOTDIR if it is no folder */
    FILE_WAITS = 1 << 7,   /* for who writes to a pipe, which reading it does, too */
    FILE_PLACE = 1 << 8,   /* only to be examined, or as `folder` below: that needs no right to
                            * read it */
};

enum {
    FILE_HERE = -100 /* in place of an open folder: names are relative to the current folder */
};

/* `use` is a set of file_use. */
NODISCARD int file_open(const char *path, unsigned use);
/* The same for a name in an open folder. */
NODISCARD int file_open_in(int folder, const char *name, unsigned use);

/* A number above those of the standard streams: `file` itself, or another for the same file, with
 * `file` closed. -1, with errno as it was, if `file` is -1. */
NODISCARD int file_above_streams(int file);

/* False if the system could not write what was written before. -1 does nothing. */
bool file_close(int file);

/* How many files this process may have open at once; UINT64_MAX if nothing limits them. */
uint64_t file_open_limit(void);

#endif

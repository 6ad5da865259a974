/* whole_file.h - a file that appears whole or not at all: written under another name in the same
 * directory, then renamed. A link is followed and stays a link, even one that leads to nothing yet;
 * missing directories are created; a replaced file keeps its permissions. A file that may be
 * written to but not replaced (a mount of its own, one in a directory that is read-only, another
 * user's in a sticky directory) is overwritten once its copy is finished; if that fails, the copy
 * stays and is named. A device or pipe, such as /dev/stdout, is written to directly.
 * Owner:  between output_open and output_commit or output_abandon a descriptor is open and a
 *         temporary file exists.
 * Errors: ERR_IO, without the name of the file: the caller knows it. */
#pragma once

#include <stdio.h>

#include "base/err.h"
#include "base/path.h"

struct output {
    int fd;
    int lock;                  /* of the temporary file (temporary_file.h), or -1 */
    char temporary[PATH_ROOM]; /* empty: `fd` is the device itself */
    char target[PATH_ROOM];
    size_t existing_len; /* of the part of a new target that was there before */
    bool exists;         /* the target did before */
    bool is_elsewhere;   /* the temporary file is in another directory */
    bool appends;        /* output_append */
    bool skips_sync, skips_sweep;
};

NODISCARD bool output_open(struct output *out, const char *path, struct err *err);
/* The same for another file in the directory of the last one. output_open looks through the whole
 * directory for what killed processes left there; doing that for each of thousands of files takes
 * time that grows with their square. */
NODISCARD bool output_open_next(struct output *out, const char *path, struct err *err);
/* stdout or stderr, which stays open. */
NODISCARD bool output_open_stream(struct output *out, FILE *stream, struct err *err);

/* For a file that others write to, too: a commit adds to what it has then, after an empty line.
 * What does not fit is taken back. Nothing happens to a device, or to a file that is not there. */
NODISCARD bool output_append(struct output *out, struct err *err);

/* In place of a commit: the file is complete and stays under its temporary name, locked, until
 * output_abandon. If this process is killed, it is one of those that the next one removes. */
NODISCARD bool output_keep(struct output *out, struct err *err);

/* A FILE that writes to it, or NULL; the caller closes it before the commit. */
NODISCARD FILE *output_file(const struct output *out, struct err *err);
bool output_is_terminal(const struct output *out);

/* For files that are easily made again, and many: a commit does not wait for the disk. After a
 * crash of the machine, not of the program, such a file may be empty. */
void output_skip_sync(struct output *out);

/* Both close the descriptor; a failed commit abandons the file. */
NODISCARD bool output_commit(struct output *out, struct err *err);
void output_abandon(struct output *out);

/* Can this file be written or created? Leaves no trace, and an existing file as it is. */
NODISCARD bool output_check(const char *path, struct err *err);
/* The same, for what cannot go to a device or pipe. */
NODISCARD bool output_check_file(const char *path, struct err *err);
/* Can stdout or stderr be written to? */
NODISCARD bool output_stream_check(FILE *stream, struct err *err);

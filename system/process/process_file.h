/* process_file.h - a file that /proc has about a process: its path, what is in it, where it links
 * to. The other process_*.h each answer one question from these files. A process ID is an int.
 * Source: proc(5). The process may change or end at any time; what it says of itself is not to be
 *         trusted.
 * Owner:  the caller's buffers; nothing is allocated. */
#ifndef ILCOV_SYSTEM_PROCESS_PROCESS_FILE_H
#define ILCOV_SYSTEM_PROCESS_PROCESS_FILE_H

#include "base/base.h"

/* In place of a pid. 0 would not do: getppid gives it for a parent in another namespace. */
enum {
    PROCESS_SELF = -1,   /* this process, whatever its pid in the namespace of /proc */
    PROCESS_PARENT = -2, /* the parent of this process */
};

enum {
    PROCESS_PATH_ROOM = 64, /* bytes of "/proc/<pid>/<name>" with its NUL */
};

/* `name` is relative to the folder of the process, such as "status". */
void process_file_path(char out[PROCESS_PATH_ROOM], int pid, const char *name);

/* The first room - 1 bytes of the file, followed by a NUL that `len` does not count. False, with an
 * empty `out`, if there is nothing to read, or no right to. */
bool process_file_read(char *out, size_t *len, size_t room, int pid, const char *name);

/* The first room - 1 bytes of the link's target, followed by a NUL. False, with an empty `out` and
 * errno set, if it cannot be read. */
bool process_file_link(char *out, size_t room, int pid, const char *name);

#endif

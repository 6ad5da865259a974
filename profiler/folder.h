/* folder.h - the session directory, from inside a target that may close our descriptors, change its
 * root, its user or its limits while it runs.
 * A descriptor that is kept is believed only as long as it is what was opened: the target may have
 * closed it, and its number may be that of a file of the user's. A kept directory can be reached
 * from any root. */
#ifndef ILCOV_PROFILER_FOLDER_H
#define ILCOV_PROFILER_FOLDER_H

#include <sys/types.h>

#include "base/err.h"

enum {
    FOLDER_PATH_MAX = 1024
};

struct kept {
    int fd; /* -1: none */
    dev_t device;
    ino_t inode;
};

void kept_open(struct kept *out, int fd);
void kept_close(struct kept *kept);
/* The descriptor, or -1 when it is not ours any more. */
int kept_fd(const struct kept *kept);

/* The directory's device and inode stay known when its descriptor is lost. */
struct folder {
    char path[FOLDER_PATH_MAX];
    struct kept directory;
};

/* `path` is shorter than FOLDER_PATH_MAX. What can't be opened fails when a file is asked for. */
void folder_open(struct folder *out, const char *path);
void folder_close(struct folder *folder);

/* Does it belong to this process's user, and may nobody else write it? */
NODISCARD bool folder_check(const struct folder *folder, struct err *err);

/* open(2) of a file in a folder that is as folder_check wants it; never through a link, closed by
 * exec, never as 0, 1 or 2; -1 with errno. What is there must be a plain file of one name that this
 * process's user alone may write (else EACCES). With O_CREAT, what is not there is made anew
 * (O_EXCL), 0600. */
int folder_file(const struct folder *folder, const char *name, int flags);
/* A Unix stream socket that listens there; -1 with errno. One that is left of an earlier process
 * with the same number is replaced. */
int folder_listen(const struct folder *folder, const char *name, int backlog);
/* The file of troubles, to append to it, also in a folder that is another user's: root may. */
int folder_troubles(const struct folder *folder);
bool folder_has(const struct folder *folder, const char *name);
void folder_remove(const struct folder *folder, const char *name);
bool folder_rename(const struct folder *folder, const char *from, const char *to);
/* Bytes that its file system has left; UINT64_MAX when that can't be told. */
uint64_t folder_room(const struct folder *folder);

/* May this process make a file so long? Beyond the limit the kernel would kill it (SIGXFSZ). False
 * with errno. */
bool folder_allows(uint64_t file_len);

#endif

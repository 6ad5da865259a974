/* folder.h - the session directory, from inside a target that may close the library's descriptors,
 * or change its root, its user or its limits while it runs.
 * A kept descriptor is checked before each use: the target may have closed it and opened a file of
 * its own under the same number. A kept directory can be reached from any root. */
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
/* The descriptor, or -1 if it no longer refers to what was opened. */
int kept_fd(const struct kept *kept);

/* The directory's device and inode remain known if its descriptor is lost. */
struct folder {
    char path[FOLDER_PATH_MAX];
    struct kept directory;
};

/* `path` is shorter than FOLDER_PATH_MAX. If it can't be opened, the first use of a file fails. */
void folder_open(struct folder *out, const char *path);
void folder_close(struct folder *folder);

/* Does it belong to this process's user, and is it writable only by that user? */
NODISCARD bool folder_check(const struct folder *folder, struct err *err);

/* open(2) of a file in a folder that passes folder_check; never through a link, closed by exec,
 * never as 0, 1 or 2; -1 with errno. An existing file must be a regular file with one name that
 * only this process's user can write to (otherwise EACCES). With O_CREAT, a missing file is created
 * (O_EXCL), 0600. */
int folder_file(const struct folder *folder, const char *name, int flags);
/* A Unix stream socket that listens there; -1 with errno. A stale one, of an earlier process with
 * the same pid, is replaced. */
int folder_listen(const struct folder *folder, const char *name, int backlog);
/* The file of troubles, for appending, even in another user's folder: root may do that. */
int folder_troubles(const struct folder *folder);
bool folder_has(const struct folder *folder, const char *name);
void folder_remove(const struct folder *folder, const char *name);
bool folder_rename(const struct folder *folder, const char *from, const char *to);
/* Bytes that are free on its file system; UINT64_MAX if that is not known. */
uint64_t folder_room(const struct folder *folder);

/* May this process create a file of this length? Beyond the limit the kernel would kill it
 * (SIGXFSZ). False with errno. */
bool folder_allows(uint64_t file_len);

#endif

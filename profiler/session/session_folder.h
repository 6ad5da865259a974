/* session_folder.h - the session directory, from inside a target that may close the library's
 * descriptors, or change its root, its user or its limits while it runs. A kept descriptor is
 * checked before each use: the target may have closed it and opened a file of its own under the
 * same number. A kept directory can be reached from any root. */
#pragma once

#include "base/err.h"
#include "system/file_status.h"

enum {
    FOLDER_PATH_MAX = 1024
};

struct kept {
    int fd; /* -1: none */
    struct file_identity identity;
};

void kept_open(struct kept *out, int fd);
void kept_close(struct kept *kept);
/* The descriptor, or -1 if it no longer refers to what was opened. */
int kept_fd(const struct kept *kept);

/* The directory's identity remains known if its descriptor is lost. */
struct folder {
    char path[FOLDER_PATH_MAX];
    struct kept directory;
};

/* `path` is shorter than FOLDER_PATH_MAX. If it can't be opened, the first use of a file fails. */
void folder_open(struct folder *out, const char *path);
void folder_close(struct folder *folder);

/* Does it belong to this process's user, and is it writable only by that user? */
NODISCARD bool folder_check(const struct folder *folder, struct err *err);

/* Opens a file in a folder that passes folder_check; `use` as in file_open. Never through a link,
 * never as one of the standard streams; -1 with errno. An existing file must be a regular one with
 * a single name that only this process's user can write to (otherwise EACCES). */
int folder_file(const struct folder *folder, const char *name, unsigned use);
/* A listener there (system/socket.h); -1 with errno. A stale one, of an earlier process
 * with the same pid, is replaced. */
int folder_listen(const struct folder *folder, const char *name, unsigned queue);
/* The file of troubles, for appending, even in another user's folder: root may do that. */
int folder_warnings(const struct folder *folder);
/* Appends the parts to a file of the folder in one write: to `kept`, if that is still open. How
 * many bytes were written, or -1: they go together, unless the file system fills up. */
int64_t folder_append(const struct folder *folder, const struct kept *kept, const char *name,
                      const struct view *parts, uint32_t count);

bool folder_has(const struct folder *folder, const char *name);
void folder_remove(const struct folder *folder, const char *name);
/* A file that others see whole or not at all. */
enum {
    FOLDER_COPY_ROOM = 64 /* for its name */
};
struct folder_copy {
    const char *name;
    char temporary[FOLDER_COPY_ROOM + 32];
    int fd; /* while it is written; -1: it can't be made */
};

/* `name` must outlive the copy. The end says whether the file is there: if it was `written`. */
void folder_begin_copy(struct folder_copy *out, const struct folder *folder, const char *name);
NODISCARD bool folder_end_copy(struct folder_copy *copy, const struct folder *folder, bool written);
/* One with these bytes. */
NODISCARD bool folder_write_copy(const struct folder *folder, const char *name, struct view bytes);

/* Bytes that are free on its file system; UINT64_MAX if that is not known. */
uint64_t folder_room(const struct folder *folder);

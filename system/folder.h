/* folder.h - folders, and the names in them: made, changed, listed and removed.
 * Errors: false, with the system's reason in errno, for err_set_errno.
 * Target: safe to call there on any thread: no locks, libc only. Listing allocates a buffer of the
 *         C library's, which is freed on return. */
#pragma once

#include "base/path.h"

/* Removes a file, not a folder. */
bool file_remove(const char *path);
bool file_remove_in(int folder, const char *name);

/* Replaces a file of the new name. */
NODISCARD bool file_rename(const char *from, const char *to);
NODISCARD bool file_rename_in(int from_folder, const char *from, int to_folder, const char *to);

/* Makes a folder for this user alone; letters that nobody can guess take the place of the six X at
 * the end of `path`. */
NODISCARD bool file_make_unique_folder(char *path);
/* Only an empty one: ENOTEMPTY. */
bool file_remove_folder(const char *path);

/* The absolute path without links, "." and "..", of what is there. */
NODISCARD bool file_real_path(char out[PATH_ROOM], const char *path);
/* The current folder. */
NODISCARD bool file_current_folder(char out[PATH_ROOM]);

/* Calls `take` for each entry but "." and "..", until it returns false; then returns false. True
 * for a folder that cannot be read, with errno; otherwise errno is 0. */
bool folder_each_entry(const char *folder, bool (*take)(void *context, const char *name),
                       void *context);

/* The same for an open folder, from its first entry on, as often as one likes. */
bool folder_each_entry_in(int folder, bool (*take)(void *context, const char *name), void *context);

struct file_system_size {
    uint64_t free, total; /* bytes; free: that this user may still write */
};

/* False, with the system's reason in errno. */
NODISCARD bool file_system_size(struct file_system_size *out, const char *path);

/* Bytes that this user may still write there. UINT64_MAX if that is not known. */
uint64_t file_system_room(const char *path);
/* The same by an open file or folder. */
uint64_t file_system_room_open(int file);

/* One at a time: those who do the same to a process or in a folder take turns. The lock is on the
 * folder itself, of a process that in /proc, so nothing is left behind, whoever is killed. */

/* Wait until `until`, a time of clock_ms. -1: it was not to be had. */
int turn_take_process(int pid, int64_t until);
int turn_take_folder(const char *folder, int64_t until);

/* -1 does nothing. */
void turn_end(int turn);

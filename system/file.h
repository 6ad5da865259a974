/* file.h - files, opened, read, written and locked. An open file is a small number, as for C's own;
 * -1 is none. Programs that are started do not inherit it, opening does not wait for a pipe unless
 * asked to, and a file that is made belongs to this user alone (mode 0600). A signal does not end a
 * read or write early (EINTR), and neither does a file system that takes or gives fewer bytes than
 * it was asked for.
 * Errors: false or -1, with the system's reason in errno, for err_set_errno.
 * Target: safe to call there on any thread: no locks of its own, no allocations, libc only. */
#pragma once

#include "base/text.h"

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

/* Opens a regular file for reading and returns its descriptor. A pipe or device, which could make
 * its reader wait for ever, is refused: -1 with EINVAL; otherwise -1 with the system's errno. */
NODISCARD int file_read_open(const char *path);

/* The next bytes, at most `room`; 0 at the end, -1 with errno. */
NODISCARD int64_t file_read_some(int fd, void *out, size_t room);

/* Exactly `len` bytes at `offset`. False with errno; ENODATA: the file ends before. */
NODISCARD bool file_read_at(void *out, size_t len, int fd, uint64_t offset);

NODISCARD bool file_write(int file, const void *data, size_t len);
NODISCARD bool file_write_at(int file, const void *data, size_t len, uint64_t offset);

/* In a single write: to a file that was opened with FILE_APPEND the parts go together, with nothing
 * between them of what others append. At most FILE_PARTS_MAX. How many bytes were written: fewer if
 * there is no room for all; -1 with errno, also if a signal came first. */
enum {
    FILE_PARTS_MAX = 128
};
NODISCARD int64_t file_write_parts(int file, const struct view *parts, uint32_t count);

/* The same, but only if a limit of this process allows it (file_length_allowed). */
NODISCARD int64_t file_append_parts(int file, const struct view *parts, uint32_t count);

/* Cuts the file, or makes it longer with zeroes that take no room on the disk. */
NODISCARD bool file_set_length(int file, uint64_t len);

/* Takes the room on the disk for `len` bytes from `offset` on, and makes the file at least that
 * long. ENOSPC: there is not as much; EINTR: signals interrupt it for too long. */
NODISCARD bool file_reserve(int file, uint64_t offset, uint64_t len);

/* Takes the room for its first `len` bytes, and leaves its length as it is. */
NODISCARD bool file_reserve_beyond(int file, uint64_t len);

/* Waits until the disk has what was written. */
NODISCARD bool file_flush(int file);

/* Does a limit of this process allow files of that length? Writing more would end it with SIGXFSZ.
 * EFBIG if not. */
NODISCARD bool file_length_allowed(uint64_t len);

/* The rest of the open file, with a NUL after it. Reading stops after `limit` bytes, or up to 4095
 * later. ERR_IO, ERR_MEMORY; without the name of the file: the caller knows it. */
NODISCARD bool file_text_read(struct str *out, int fd, size_t limit, struct arena *arena,
                              struct err *err);

/* The bytes of a file, copied into private memory, so that later changes of the file do not
 * matter. A mapping would be slightly faster, but end in SIGBUS if a build truncates the file.
 * Owner:  file_bytes_release gives the memory back.
 * Errors: ERR_IO, ERR_FORMAT (not a regular file, or empty), ERR_LIMIT; without the name of the
 *         file: the caller knows it. */

#define FILE_BYTES_MAX ((size_t)1 << 30)

NODISCARD bool file_bytes_read(struct view *out, const char *path, struct err *err);
/* The same for a file in the open directory `folder`, of at most `most` bytes. */
NODISCARD bool file_bytes_read_at(struct view *out, int folder, const char *name, size_t most,
                                  struct err *err);
/* Leaves an empty view. */
void file_bytes_release(struct view *bytes);

/* Locks on whole open files and folders, between processes that respect them. A lock ends when the
 * open file is closed, or its process ends in any way. Source: flock(2). */

enum file_lock {
    FILE_LOCK_SHARED,   /* others may have it, too */
    FILE_LOCK_EXCLUSIVE /* nobody else has any */
};

enum file_locked {
    FILE_LOCKED,
    FILE_LOCK_TAKEN, /* by another open file, maybe of this process */
    FILE_LOCK_FAILED /* the reason is in errno */
};

/* Does not wait. Replaces a lock that the open file has already. */
NODISCARD enum file_locked file_lock_try(int file, enum file_lock lock);

/* file_system.h - the file system that a file or folder is in.
 * Target: safe to call there on any thread: no locks, no allocations, libc only. */
#ifndef ILCOV_SYSTEM_FILE_FILE_SYSTEM_H
#define ILCOV_SYSTEM_FILE_FILE_SYSTEM_H

#include "base/base.h"

/* Bytes that this user may still write there. UINT64_MAX if that is not known. */
uint64_t file_system_room(const char *path);
/* The same by an open file or folder. */
uint64_t file_system_room_open(int file);

#endif

/* file_exists.h - is there anything at a path? Two answers for a link that leads to nothing. */
#ifndef ILCOV_SYSTEM_FILE_EXISTS_H
#define ILCOV_SYSTEM_FILE_EXISTS_H

#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

static inline bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static inline bool file_or_link_exists(const char *path)
{
    return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

#endif

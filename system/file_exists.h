/* file_exists.h - is there anything at a path? */
#ifndef ILCOV_SYSTEM_FILE_EXISTS_H
#define ILCOV_SYSTEM_FILE_EXISTS_H

#include <stdbool.h>
#include <unistd.h>

static inline bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

#endif

#include "system/file/file_exists.h"

#include <fcntl.h>
#include <unistd.h>

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool file_or_link_exists(const char *path)
{
    return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool file_is_readable(const char *path)
{
    return access(path, R_OK) == 0;
}

bool file_is_executable(const char *path)
{
    return access(path, X_OK) == 0;
}

bool file_folder_is_writable(const char *path)
{
    return access(path, W_OK | X_OK) == 0;
}

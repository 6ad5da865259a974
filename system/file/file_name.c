#include "system/file/file_name.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(PATH_ROOM >= PATH_MAX, "room for any path");

bool file_remove(const char *path)
{
    return unlink(path) == 0;
}

bool file_remove_in(int folder, const char *name)
{
    return unlinkat(folder, name, 0) == 0;
}

bool file_rename(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

bool file_rename_in(int from_folder, const char *from, int to_folder, const char *to)
{
    return renameat(from_folder, from, to_folder, to) == 0;
}

/* The process's umask may have taken rights of the user's own. */
bool file_make_unique_folder(char *path)
{
    return mkdtemp(path) != NULL && chmod(path, 0700) == 0;
}

bool file_remove_folder(const char *path)
{
    return rmdir(path) == 0;
}

bool file_real_path(char out[PATH_ROOM], const char *path)
{
    return realpath(path, out) != NULL;
}

bool file_current_folder(char out[PATH_ROOM])
{
    return getcwd(out, PATH_ROOM) != NULL;
}

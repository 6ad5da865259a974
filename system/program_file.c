#include "system/program_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/file/file_status.h"

static bool is_file(const char *path, int right)
{
    return file_is_regular(path) && access(path, right) == 0;
}

bool program_file_is_path(const char *command)
{
    return strchr(command, '/') != NULL;
}

static bool find(char path[PATH_ROOM], const char *command, int right)
{
    if (program_file_is_path(command)) {
        int n = snprintf(path, PATH_ROOM, "%s", command);
        return n >= 0 && n < PATH_ROOM && is_file(path, right);
    }
    const char *folders = getenv("PATH");
    while (folders != NULL) {
        const char *end = strchrnul(folders, ':');
        int len = (int)(end - folders);
        int n = snprintf(path, PATH_ROOM, "%.*s/%s", len != 0 ? len : 1, len != 0 ? folders : ".",
                         command);
        if (n >= 0 && n < PATH_ROOM && is_file(path, right))
            return true;
        folders = *end == ':' ? end + 1 : NULL;
    }
    return false;
}

bool program_file_find(char path[PATH_ROOM], const char *command)
{
    return find(path, command, X_OK);
}

bool program_file_find_any(char path[PATH_ROOM], const char *command)
{
    return find(path, command, F_OK);
}

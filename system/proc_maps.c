#include "system/proc_maps.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
    LINE_ROOM = PATH_MAX + 128 /* the other fields come before the path */
};

void proc_maps_path(char out[PROC_PATH_ROOM], pid_t pid)
{
    proc_file_path(out, pid, "maps");
}

bool proc_maps_visit(pid_t pid, bool (*take)(void *context, struct str path), void *context)
{
    char name[PROC_PATH_ROOM], line[LINE_ROOM];
    proc_maps_path(name, pid);
    FILE *file = fopen(name, "re");
    if (file == NULL)
        return false;
    bool more = true, ok = true;
    while (more) {
        errno = 0;
        if (fgets(line, sizeof line, file) == NULL) {
            ok = errno == 0; /* the end; libilcov.so does without ferror */
            break;
        }
        const char *path = strchr(line, '/');
        if (path != NULL)
            more = take(context, (struct str){path, strcspn(path, "\n")});
    }
    (void)fclose(file);
    return ok;
}

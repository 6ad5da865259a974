#include "system/process/process_list.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>

/* 0: not that of a process. */
static int pid_of(const char *name)
{
    char *end = NULL;
    if (name[0] < '1' || name[0] > '9')
        return 0;
    long pid = strtol(name, &end, 10);
    return *end == '\0' && pid <= INT_MAX ? (int)pid : 0;
}

bool process_list_visit(bool (*take)(void *context, int pid), void *context)
{
    DIR *folder = opendir("/proc");
    if (folder == NULL)
        return false;
    bool more = true;
    for (struct dirent *entry = readdir(folder); more && entry != NULL; entry = readdir(folder)) {
        int pid = pid_of(entry->d_name);
        if (pid != 0)
            more = take(context, pid);
    }
    (void)closedir(folder);
    return true;
}

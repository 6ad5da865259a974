#include "system/process/process_descriptors.h"

#include <dirent.h>
#include <unistd.h>

#include "base/path.h"

void process_descriptors_visit(int pid, bool (*take)(void *context, struct str target),
                               void *context)
{
    char path[PROCESS_PATH_ROOM], target[PATH_ROOM];
    process_file_path(path, pid, "fd");
    DIR *folder = opendir(path);
    if (folder == NULL)
        return;
    bool more = true;
    for (struct dirent *entry = readdir(folder); more && entry != NULL; entry = readdir(folder)) {
        ssize_t len = readlinkat(dirfd(folder), entry->d_name, target, sizeof target);
        if (len > 0)
            more = take(context, (struct str){target, (size_t)len});
    }
    (void)closedir(folder);
}

/* folder_entries.h - the entries of a folder. */
#ifndef ILCOV_SYSTEM_FILE_FOLDER_ENTRIES_H
#define ILCOV_SYSTEM_FILE_FOLDER_ENTRIES_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* Calls `take` for each entry, also "." and "..", until it returns false; then returns false. True
 * for a folder that cannot be read. */
static inline bool folder_each_entry(const char *folder,
                                     bool (*take)(void *context, const char *name), void *context)
{
    DIR *stream = opendir(folder);
    bool goes_on = true;
    if (stream == NULL)
        return true;
    for (struct dirent *entry = readdir(stream); entry != NULL && goes_on; entry = readdir(stream))
        goes_on = take(context, entry->d_name);
    (void)closedir(stream);
    return goes_on;
}

static inline bool folder_is(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* When it was last written, in nanoseconds; 0 if it is not there. */
static inline int64_t file_written(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec
                                  : 0;
}

#endif

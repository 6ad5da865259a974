#include "system/file/folder_entries.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "system/file/open_file.h"

static bool is_name(const char *name)
{
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

bool folder_each_entry_in(int folder, bool (*take)(void *context, const char *name), void *context)
{
    int again = file_open_in(folder, ".", FILE_READ | FILE_FOLDER);
    DIR *stream = again >= 0 ? fdopendir(again) : NULL;
    bool goes_on = true;
    if (stream == NULL) {
        int why = errno;
        (void)file_close(again);
        errno = why;
        return true;
    }
    for (struct dirent *entry = readdir(stream); entry != NULL && goes_on; entry = readdir(stream))
        if (is_name(entry->d_name))
            goes_on = take(context, entry->d_name);
    (void)closedir(stream);
    errno = 0;
    return goes_on;
}

bool folder_each_entry(const char *folder, bool (*take)(void *context, const char *name),
                       void *context)
{
    int opened = file_open(folder, FILE_READ | FILE_FOLDER);
    if (opened < 0)
        return true;
    bool goes_on = folder_each_entry_in(opened, take, context);
    int why = errno;
    (void)file_close(opened);
    errno = why;
    return goes_on;
}

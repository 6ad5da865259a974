#include "system/folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "system/clock.h"
#include "system/file.h"
#include "system/process.h"

/* --- file name -------------------------------------------------------------------------------- */

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

/* --- folder entries --------------------------------------------------------------------------- */

static bool is_entry_name(const char *name)
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
        if (is_entry_name(entry->d_name))
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

/* --- file system ------------------------------------------------------------------------------ */

bool file_system_size(struct file_system_size *out, const char *path)
{
    struct statvfs info;
    if (statvfs(path, &info) != 0)
        return false;
    *out = (struct file_system_size){.free = (uint64_t)info.f_bavail * info.f_frsize,
                                     .total = (uint64_t)info.f_blocks * info.f_frsize};
    return true;
}

uint64_t file_system_room(const char *path)
{
    struct file_system_size size;
    return file_system_size(&size, path) ? size.free : UINT64_MAX;
}

uint64_t file_system_room_open(int file)
{
    struct statvfs info;
    return fstatvfs(file, &info) == 0 ? (uint64_t)info.f_bavail * info.f_frsize : UINT64_MAX;
}

/* --- turn ------------------------------------------------------------------------------------- */

enum {
    AGAIN_MS = 10
};

int turn_take_folder(const char *folder, int64_t until)
{
    int turn = file_open(folder, FILE_READ | FILE_FOLDER);
    enum file_locked locked = FILE_LOCK_FAILED;
    while (turn >= 0 && (locked = file_lock_try(turn, FILE_LOCK_EXCLUSIVE)) == FILE_LOCK_TAKEN &&
           clock_ms() < until)
        clock_rest(AGAIN_MS);
    if (locked == FILE_LOCKED)
        return turn;
    (void)file_close(turn);
    return -1;
}

int turn_take_process(int pid, int64_t until)
{
    char path[PROCESS_PATH_ROOM];
    process_file_path(path, pid, "");
    return turn_take_folder(path, until);
}

void turn_end(int turn)
{
    (void)file_close(turn);
}

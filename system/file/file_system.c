#include "system/file/file_system.h"

#include <sys/statvfs.h>

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

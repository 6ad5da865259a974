#include "system/process/process_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "system/file/file_read.h"

void process_file_path(char out[PROCESS_PATH_ROOM], int pid, const char *name)
{
    if (pid == PROCESS_SELF)
        (void)snprintf(out, PROCESS_PATH_ROOM, "/proc/self/%s", name);
    else
        (void)snprintf(out, PROCESS_PATH_ROOM, "/proc/%ld/%s",
                       (long)(pid == PROCESS_PARENT ? getppid() : pid), name);
}

bool process_file_read(char *out, size_t *len, size_t room, int pid, const char *name)
{
    char path[PROCESS_PATH_ROOM];
    process_file_path(path, pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int64_t got = fd >= 0 ? 1 : -1;
    *len = 0;
    while (got > 0 && *len + 1 < room) {
        got = file_read_some(fd, out + *len, room - 1 - *len);
        *len += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0)
        (void)close(fd);
    if (got < 0)
        *len = 0;
    out[*len] = '\0';
    return *len != 0;
}

bool process_file_link(char *out, size_t room, int pid, const char *name)
{
    char path[PROCESS_PATH_ROOM];
    process_file_path(path, pid, name);
    int64_t len = readlink(path, out, room - 1);
    out[len > 0 ? len : 0] = '\0';
    return len > 0;
}

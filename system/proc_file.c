#include "system/proc_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "system/file/file_read.h"

void proc_file_path(char out[PROC_PATH_ROOM], pid_t pid, const char *name)
{
    if (pid == PROC_SELF)
        (void)snprintf(out, PROC_PATH_ROOM, "/proc/self/%s", name);
    else
        (void)snprintf(out, PROC_PATH_ROOM, "/proc/%ld/%s",
                       (long)(pid == PROC_PARENT ? getppid() : pid), name);
}

bool proc_file_read(char *out, size_t *len, size_t room, pid_t pid, const char *name)
{
    char path[PROC_PATH_ROOM];
    proc_file_path(path, pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? 1 : -1;
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

bool proc_file_link(char *out, size_t room, pid_t pid, const char *name)
{
    char path[PROC_PATH_ROOM];
    proc_file_path(path, pid, name);
    ssize_t len = readlink(path, out, room - 1);
    out[len > 0 ? len : 0] = '\0';
    return len > 0;
}

#include "system/file/file_read.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int file_read_open(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -1;
    int why = fstat(fd, &status) != 0 ? errno : S_ISREG(status.st_mode) ? 0 : EINVAL;
    if (why == 0)
        return fd;
    (void)close(fd);
    errno = why;
    return -1;
}

int64_t file_read_some(int fd, void *out, size_t room)
{
    ssize_t len;
    do
        len = read(fd, out, room);
    while (len < 0 && errno == EINTR);
    return len;
}

bool file_read_at(void *out, size_t len, int fd, uint64_t offset)
{
    for (size_t done = 0; done < len;) {
        ssize_t n = pread(fd, (uint8_t *)out + done, len - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            errno = ENODATA;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

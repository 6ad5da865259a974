#include "system/file/file_write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include "system/file/file_status.h"

enum {
    RESERVE_TRIES = 1000 /* .NET stops threads with signals, and a signal ends the call */
};

_Static_assert(sizeof(struct view) == sizeof(struct iovec) &&
                   offsetof(struct view, data) == offsetof(struct iovec, iov_base) &&
                   offsetof(struct view, len) == offsetof(struct iovec, iov_len) &&
                   FILE_PARTS_MAX <= IOV_MAX,
               "views are what writev takes");

bool file_write(int file, const void *data, size_t len)
{
    for (size_t done = 0; done < len;) {
        ssize_t n = write(file, (const uint8_t *)data + done, len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

bool file_write_at(int file, const void *data, size_t len, uint64_t offset)
{
    for (size_t done = 0; done < len;) {
        ssize_t n = pwrite(file, (const uint8_t *)data + done, len - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

int64_t file_write_parts(int file, const struct view *parts, uint32_t count)
{
    return writev(file, (const struct iovec *)parts, (int)count);
}

int64_t file_append_parts(int file, const struct view *parts, uint32_t count)
{
    struct file_status status;
    uint64_t len = 0;
    for (uint32_t i = 0; i < count; i++)
        len += parts[i].len;
    bool may =
        file >= 0 && file_status_open(&status, file) && file_length_allowed(status.size + len);
    return may ? file_write_parts(file, parts, count) : -1;
}

bool file_set_length(int file, uint64_t len)
{
    return ftruncate(file, (off_t)len) == 0;
}

bool file_reserve(int file, uint64_t offset, uint64_t len)
{
    int failure = EINTR;
    for (unsigned i = 0; i < RESERVE_TRIES && failure == EINTR; i++)
        failure = posix_fallocate(file, (off_t)offset, (off_t)len);
    errno = failure;
    return failure == 0;
}

bool file_reserve_beyond(int file, uint64_t len)
{
    return fallocate(file, FALLOC_FL_KEEP_SIZE, 0, (off_t)len) == 0;
}

bool file_flush(int file)
{
    return fsync(file) == 0;
}

bool file_length_allowed(uint64_t len)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        len <= limit.rlim_cur)
        return true;
    errno = EFBIG;
    return false;
}

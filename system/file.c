#include "system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "system/file_status.h"

/* --- open file -------------------------------------------------------------------------------- */

_Static_assert(FILE_HERE == AT_FDCWD, "names in the current folder");

static int choose_open_flags(unsigned use)
{
    int flags = O_CLOEXEC;
    flags |= (use & FILE_WAITS) == 0 ? O_NONBLOCK : 0;
    if ((use & FILE_PLACE) != 0)
        flags |= O_PATH;
    else if ((use & (FILE_WRITE | FILE_APPEND)) == 0)
        flags |= O_RDONLY;
    else
        flags |= (use & FILE_READ) != 0 ? O_RDWR : O_WRONLY;
    flags |= (use & FILE_APPEND) != 0 ? O_APPEND : 0;
    flags |= (use & (FILE_MAKE | FILE_NEW)) != 0 ? O_CREAT : 0;
    flags |= (use & FILE_NEW) != 0 ? O_EXCL : 0;
    flags |= (use & FILE_NO_LINK) != 0 ? O_NOFOLLOW : 0;
    flags |= (use & FILE_FOLDER) != 0 ? O_DIRECTORY : 0;
    return flags;
}

int file_open_in(int folder, const char *name, unsigned use)
{
    return openat(folder, name, choose_open_flags(use), 0600);
}

int file_open(const char *path, unsigned use)
{
    return file_open_in(FILE_HERE, path, use);
}

int file_above_streams(int file)
{
    if (file < 0 || file > STDERR_FILENO)
        return file;
    int above = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int why = errno;
    (void)close(file);
    errno = why;
    return above;
}

bool file_close(int file)
{
    return file < 0 || close(file) == 0;
}

uint64_t file_open_limit(void)
{
    struct rlimit limit;
    bool known = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return known ? limit.rlim_cur : UINT64_MAX;
}

/* --- file read -------------------------------------------------------------------------------- */

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

/* --- file write ------------------------------------------------------------------------------- */

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

/* --- file text -------------------------------------------------------------------------------- */

bool file_text_read(struct str *out, int fd, size_t limit, struct arena *arena, struct err *err)
{
    char chunk[4096];
    int64_t len = 0;
    struct text text = text_in(arena);
    while (text.len < limit && (len = file_read_some(fd, chunk, sizeof chunk)) > 0)
        text_add(&text, (struct str){chunk, (size_t)len});
    if (len < 0)
        return err_set_errno(err, "it cannot be read");
    return text_take(out, &text, err);
}

/* --- file bytes ------------------------------------------------------------------------------- */

static bool read_whole_bytes(uint8_t *data, size_t len, int fd, struct err *err)
{
    for (size_t done = 0; done < len;) {
        int64_t n = file_read_some(fd, data + done, len - done);
        if (n < 0)
            return err_set_errno(err, "cannot be read");
        if (n == 0)
            return err_set(err, ERR_IO, "shrank from %zu to %zu bytes while it was being read", len,
                           done);
        done += (size_t)n;
    }
    return true;
}

static bool read_file_bytes(struct view *out, int fd, size_t most, struct err *err)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return err_set_errno(err, "cannot be examined");
    if (S_ISDIR(status.st_mode))
        return err_set(err, ERR_FORMAT, "is a directory");
    if (!S_ISREG(status.st_mode) || status.st_size <= 0)
        return err_set(err, ERR_FORMAT, "is empty or not a regular file");
    if ((uint64_t)status.st_size > most)
        return err_set(err, ERR_LIMIT, "has %lld bytes; the limit is %zu",
                       (long long)status.st_size, most);
    size_t len = (size_t)status.st_size;
    void *data = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED)
        return err_set_errno(err, "its %zu bytes do not fit into memory", len);
    *out = (struct view){data, len};
    if (read_whole_bytes(data, len, fd, err))
        return true;
    file_bytes_release(out);
    return false;
}

bool file_bytes_read_at(struct view *out, int folder, const char *name, size_t most,
                        struct err *err)
{
    *out = (struct view){NULL, 0};
    /* does not wait for a pipe, which is refused */
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return err_set_errno(err, "cannot be opened");
    bool done = read_file_bytes(out, fd, most, err);
    (void)close(fd);
    return done;
}

bool file_bytes_read(struct view *out, const char *path, struct err *err)
{
    return file_bytes_read_at(out, AT_FDCWD, path, FILE_BYTES_MAX, err);
}

void file_bytes_release(struct view *bytes)
{
    if (bytes->data != NULL)
        (void)munmap((void *)(uintptr_t)bytes->data, bytes->len);
    *bytes = (struct view){NULL, 0};
}

/* --- file lock -------------------------------------------------------------------------------- */

enum file_locked file_lock_try(int file, enum file_lock lock)
{
    int operation = lock == FILE_LOCK_SHARED ? LOCK_SH : LOCK_EX;
    int result;
    do
        result = flock(file, operation | LOCK_NB);
    while (result != 0 && errno == EINTR);
    if (result == 0)
        return FILE_LOCKED;
    return errno == EWOULDBLOCK ? FILE_LOCK_TAKEN : FILE_LOCK_FAILED;
}

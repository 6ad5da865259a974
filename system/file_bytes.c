#include "system/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system/file/file_read.h"
#include "system/map.h"

static bool read_all(uint8_t *data, size_t len, int fd, struct err *err)
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

static bool read_file(struct view *out, int fd, size_t most, struct err *err)
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
    uint8_t *data = map_memory(len);
    if (data == NULL)
        return err_set_errno(err, "its %zu bytes do not fit into memory", len);
    *out = (struct view){data, len};
    if (read_all(data, len, fd, err))
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
    bool done = read_file(out, fd, most, err);
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
        map_release((void *)(uintptr_t)bytes->data, bytes->len);
    *bytes = (struct view){NULL, 0};
}

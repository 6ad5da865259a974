/* file_version.h - was a file written or replaced since? */
#ifndef ILCOV_SYSTEM_FILE_VERSION_H
#define ILCOV_SYSTEM_FILE_VERSION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* All 0: there is no regular file. */
struct file_version {
    uint64_t device, file, size;
    int64_t seconds, nanoseconds; /* when it was last written */
};

static inline struct file_version file_version_read(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return (struct file_version){.file = 0};
    return (struct file_version){.device = (uint64_t)info.st_dev,
                                 .file = (uint64_t)info.st_ino,
                                 .size = (uint64_t)info.st_size,
                                 .seconds = info.st_mtim.tv_sec,
                                 .nanoseconds = info.st_mtim.tv_nsec};
}

static inline bool file_version_is_none(const struct file_version *version)
{
    return version->file == 0;
}

static inline bool file_version_is(const struct file_version *a, const struct file_version *b)
{
    return a->device == b->device && a->file == b->file && a->size == b->size &&
           a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}

#endif

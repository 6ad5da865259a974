/* file_version.h - was a file written or replaced since? */
#ifndef ILCOV_SYSTEM_FILE_FILE_VERSION_H
#define ILCOV_SYSTEM_FILE_FILE_VERSION_H

#include "system/file/file_status.h"

/* All 0: there is no regular file. */
struct file_version {
    uint64_t device, file, size;
    int64_t written; /* as in file_status */
};

static inline struct file_version file_version_read(const char *path)
{
    struct file_status status;
    if (!file_status_read(&status, path) || status.kind != FILE_IS_REGULAR)
        return (struct file_version){.file = 0};
    return (struct file_version){status.device, status.file, status.size, status.written};
}

static inline bool file_version_is_none(const struct file_version *version)
{
    return version->file == 0;
}

static inline bool file_version_is(const struct file_version *a, const struct file_version *b)
{
    return a->device == b->device && a->file == b->file && a->size == b->size &&
           a->written == b->written;
}

#endif

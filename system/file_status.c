#include "system/file_status.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- file status ------------------------------------------------------------------------------ */

enum {
    NANOSECONDS = 1000000000
};

static enum file_kind choose_file_kind(mode_t mode)
{
    return S_ISREG(mode)   ? FILE_IS_REGULAR
           : S_ISDIR(mode) ? FILE_IS_FOLDER
           : S_ISLNK(mode) ? FILE_IS_LINK
                           : FILE_IS_OTHER;
}

/* The furthest that there is for a time that is even further away. */
static int64_t nanoseconds_of(const struct timespec *time)
{
    int64_t whole = 0;
    if (__builtin_mul_overflow((int64_t)time->tv_sec, (int64_t)NANOSECONDS, &whole) ||
        __builtin_add_overflow(whole, (int64_t)time->tv_nsec, &whole))
        return time->tv_sec < 0 ? INT64_MIN : INT64_MAX;
    return whole;
}

static bool take_status(struct file_status *out, int result, const struct stat *info)
{
    *out = (struct file_status){.kind = FILE_IS_OTHER};
    if (result != 0)
        return false;
    *out = (struct file_status){
        .kind = choose_file_kind(info->st_mode),
        .owner = info->st_uid,
        .mode = info->st_mode & 07777,
        .links = info->st_nlink,
        .device = info->st_dev,
        .file = info->st_ino,
        .size = info->st_size > 0 ? (uint64_t)info->st_size : 0,
        .written = nanoseconds_of(&info->st_mtim),
    };
    return true;
}

bool file_status_open(struct file_status *out, int file)
{
    struct stat info;
    return take_status(out, fstat(file, &info), &info);
}

bool file_status_read(struct file_status *out, const char *path)
{
    struct stat info;
    return take_status(out, stat(path, &info), &info);
}

bool file_status_itself(struct file_status *out, const char *path)
{
    struct stat info;
    return take_status(out, lstat(path, &info), &info);
}

bool file_status_entry(struct file_status *out, const char *path)
{
    struct file_status target;
    if (!file_status_itself(out, path))
        return false;
    if (out->kind == FILE_IS_LINK && file_status_read(&target, path) &&
        target.kind == FILE_IS_REGULAR)
        *out = target;
    return true;
}

bool file_status_in(struct file_status *out, int folder, const char *name)
{
    struct stat info;
    return take_status(out, fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW), &info);
}

bool file_is_same(const char *a, const char *b)
{
    struct file_status one, other;
    return file_status_read(&one, a) && file_status_read(&other, b) &&
           file_status_is_same(&one, &other);
}

bool file_is_folder(const char *path)
{
    struct file_status status;
    return file_status_read(&status, path) && status.kind == FILE_IS_FOLDER;
}

bool file_is_regular(const char *path)
{
    struct file_status status;
    return file_status_read(&status, path) && status.kind == FILE_IS_REGULAR;
}

/* --- file exists ------------------------------------------------------------------------------ */

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool file_or_link_exists(const char *path)
{
    return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool file_is_readable(const char *path)
{
    return access(path, R_OK) == 0;
}

bool file_is_executable(const char *path)
{
    return access(path, X_OK) == 0;
}

bool file_folder_is_writable(const char *path)
{
    return access(path, W_OK | X_OK) == 0;
}

/* --- file identity ---------------------------------------------------------------------------- */

static struct file_identity take_identity(const struct file_status *status)
{
    return (struct file_identity){status->device, status->file};
}

bool file_identity_open(struct file_identity *out, int file)
{
    struct file_status status = {.file = 0};
    bool known = file_status_open(&status, file);
    *out = take_identity(&status);
    return known;
}

bool file_identity_root(struct file_identity *out)
{
    struct file_status status = {.file = 0};
    bool known = file_status_read(&status, "/");
    *out = take_identity(&status);
    return known;
}

bool file_identity_is(const struct file_identity *a, const struct file_identity *b)
{
    return a->device == b->device && a->file == b->file;
}

bool file_identity_is_open(const struct file_identity *identity, int file)
{
    struct file_identity now;
    return file >= 0 && file_identity_open(&now, file) && file_identity_is(&now, identity);
}

int file_identity_demand(const struct file_identity *identity, int file)
{
    if (file < 0 || file_identity_is_open(identity, file))
        return file;
    (void)close(file);
    errno = ESTALE;
    return -1;
}

#include "system/output_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fnv.h"
#include "base/path.h"
#include "system/file.h"
#include "system/file_status.h"
#include "system/output_path.h"

enum {
    FOLDER_MODE = 0777, /* less the umask */
    MARK_WITHIN = 256
};

/* --- the folder ------------------------------------------------------------------------------- */

struct made_folder {
    char path[PATH_ROOM]; /* output_path */
    bool is_new;
    size_t existing_len; /* of the part of its path that was there before */
};

/* True also for one that exists already. */
static bool make_output_folder(struct made_folder *out, const char *path, struct err *err)
{
    out->is_new = false;
    if (!output_path(out->path, path, err))
        return false;
    if (access(out->path, F_OK) == 0)
        return file_is_folder(out->path) || err_set(err, ERR_IO, "is not a directory");
    if (!output_path_make_parents(&out->existing_len, out->path, err))
        return false;
    out->is_new = mkdir(out->path, FOLDER_MODE) == 0;
    if (out->is_new || (errno == EEXIST && file_is_folder(out->path)))
        return true;
    (void)err_set_errno(err, "the directory cannot be created");
    output_path_remove_parents(out->path, out->existing_len);
    return false;
}

bool output_folder_make(const char *path, struct err *err)
{
    struct made_folder folder;
    return make_output_folder(&folder, path, err);
}

bool output_folder_check(const char *path, struct err *err)
{
    struct made_folder folder;
    if (!make_output_folder(&folder, path, err))
        return false;
    bool ok = access(folder.path, W_OK | X_OK) == 0 || err_set_errno(err, "cannot be written to");
    if (!folder.is_new)
        return ok;
    (void)rmdir(folder.path);
    output_path_remove_parents(folder.path, folder.existing_len);
    return ok;
}

/* --- a file in it ----------------------------------------------------------------------------- */

/* "a/b": no part is empty, "." or "..". */
static bool stays_inside(const char *name)
{
    for (;;) {
        size_t len = strcspn(name, "/");
        if (len == 0 || (len == 1 && name[0] == '.') || (len == 2 && memcmp(name, "..", 2) == 0))
            return false;
        if (name[len] == '\0')
            return true;
        name += len + 1;
    }
}

/* Without following a link. */
static bool is_kind_of_file(const char *path, mode_t kind)
{
    struct stat info;
    return lstat(path, &info) == 0 && (info.st_mode & S_IFMT) == kind;
}

/* Creates the folders above the file; `names` is the part of `path` that may be missing. */
static bool make_way(char *path, char *names, struct err *err)
{
    for (char *slash = strchr(names, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, FOLDER_MODE) == 0 || errno == EEXIST;
        if (!made)
            (void)err_set_errno(err, "the directory %s cannot be created", names);
        bool ok = made && (is_kind_of_file(path, S_IFDIR) ||
                           err_set(err, ERR_IO, "%s is not a directory", names));
        *slash = '/';
        if (!ok)
            return false;
    }
    return true;
}

static bool open_at(struct output *out, const char *path, uint64_t *last, struct err *err)
{
    uint64_t here = fnv_bytes(FNV_START, path, (size_t)(strrchr(path, '/') - path));
    bool is_next = here == *last;
    *last = here;
    return is_next ? output_open_next(out, path, err) : output_open(out, path, err);
}

bool output_folder_open_file(struct output *out, const char *folder, const char *name,
                             uint64_t *last, struct err *err)
{
    char path[PATH_ROOM];
    *out = (struct output){.fd = -1, .lock = -1};
    if (!stays_inside(name))
        return err_set(err, ERR_IO, "is not a name within the directory");
    int len = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (len < 0 || (size_t)len >= sizeof path)
        return err_set(err, ERR_IO, "the path is longer than %d bytes", PATH_ROOM);
    if (!make_way(path, path + strlen(folder) + 1, err))
        return false;
    if (access(path, F_OK) != 0 && !is_kind_of_file(path, S_IFLNK))
        return open_at(out, path, last, err);
    return is_kind_of_file(path, S_IFREG) ? open_at(out, path, last, err)
                                          : err_set(err, ERR_IO, "is not a regular file");
}

bool output_folder_has(const char *folder, const char *name, struct str bytes)
{
    char path[PATH_ROOM], buffer[1 << 14];
    struct stat info;
    int len = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!stays_inside(name) || len < 0 || (size_t)len >= sizeof path)
        return false;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool same = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && (size_t)info.st_size == bytes.len;
    size_t done = 0;
    while (same && done < bytes.len) {
        int64_t got = file_read_some(fd, buffer, sizeof buffer);
        same = got > 0 && (size_t)got <= bytes.len - done &&
               memcmp(buffer, bytes.text + done, (size_t)got) == 0;
        done += got > 0 ? (size_t)got : 0;
    }
    (void)close(fd);
    return same;
}

/* --- what is not needed any more -------------------------------------------------------------- */

static bool has_mark_at(int fd, off_t start, struct str mark)
{
    char bytes[MARK_WITHIN];
    int64_t len = lseek(fd, start, SEEK_SET) == start ? file_read_some(fd, bytes, sizeof bytes) : 0;
    return len > 0 && memmem(bytes, (size_t)len, mark.text, mark.len) != NULL;
}

static bool has_mark(int folder, const char *name, struct str mark)
{
    struct stat info;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool has = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
               (has_mark_at(fd, 0, mark) ||
                (info.st_size > MARK_WITHIN && has_mark_at(fd, info.st_size - MARK_WITHIN, mark)));
    (void)close(fd);
    return has;
}

bool output_folder_has_marked(const char *folder, const char *name, struct str mark)
{
    char path[PATH_ROOM];
    return path_join_in(path, str_of(folder), str_of(name)) && has_mark(AT_FDCWD, path, mark);
}

static bool remove_from(DIR *stream, struct str mark,
                        bool (*is_stale)(void *context, struct str file), void *context)
{
    bool any = false;
    for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream))
        if (is_stale(context, str_of(entry->d_name)) &&
            has_mark(dirfd(stream), entry->d_name, mark))
            any = unlinkat(dirfd(stream), entry->d_name, 0) == 0 || any;
    return any;
}

void output_folder_remove(const char *folder, const char *name, struct str mark,
                          bool (*is_stale)(void *context, struct str file), void *context)
{
    char path[PATH_ROOM];
    bool is_top = name[0] == '\0'; /* it may be a link */
    int len = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (len < 0 || (size_t)len >= sizeof path ||
        (!is_top && (!stays_inside(name) || !is_kind_of_file(path, S_IFDIR))))
        return;
    DIR *stream = opendir(path);
    bool any = stream != NULL && remove_from(stream, mark, is_stale, context);
    if (stream != NULL)
        (void)closedir(stream);
    if (any && !is_top)
        (void)rmdir(path);
}

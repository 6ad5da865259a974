#include "system/user.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "system/process.h"

/* --- user ------------------------------------------------------------------------------------- */

uint32_t user_self(void)
{
    return geteuid();
}

uint32_t user_own_group(void)
{
    return getegid();
}

/* --- user name -------------------------------------------------------------------------------- */

const char *user_name(char out[USER_NAME_ROOM], uint32_t user)
{
    const struct passwd *entry = getpwuid(user);
    if (entry != NULL && strlen(entry->pw_name) < USER_NAME_ROOM)
        (void)snprintf(out, USER_NAME_ROOM, "%s", entry->pw_name);
    else
        (void)snprintf(out, USER_NAME_ROOM, "#%u", user);
    return out;
}

/* --- ownership -------------------------------------------------------------------------------- */

enum {
    OVERFLOW_USER = 65534 /* "Numbers that are not mapped", user_namespaces(7) */
};

static bool read_owner(struct stat *out, const char *path, struct err *err)
{
    return stat(path, out) == 0 || err_set_errno(err, "%s", path);
}

/* With the sticky bit set, only the owner can rename or remove what is in it. */
static bool others_may_write(const struct stat *directory)
{
    return (directory->st_mode & S_IWOTH) != 0 && (directory->st_mode & S_ISVTX) == 0;
}

static bool group_may_write(const struct stat *directory)
{
    return (directory->st_mode & S_IWGRP) != 0 && (directory->st_mode & S_ISVTX) == 0 &&
           directory->st_gid != getgid();
}

static bool check_directory(const char *path, const char *file, struct err *err)
{
    struct stat st;
    if (!read_owner(&st, path, err))
        return false;
    if (!others_may_write(&st) && !group_may_write(&st))
        return true;
    return err_set(err, ERR_UNSUPPORTED,
                   "the directory %s is writable by others (mode %03o), who could replace %s: run "
                   "'chmod go-w %s'",
                   path, (unsigned)st.st_mode & 07777, file, path);
}

bool ownership_of_file(const char *path, struct err *err)
{
    struct stat st;
    char directory[PATH_ROOM];
    struct str parent = path_dir(str_of(path));
    (void)snprintf(directory, sizeof directory, "%.*s", STR_ARGS(parent));
    if (!read_owner(&st, path, err))
        return false;
    if (st.st_uid != geteuid() && st.st_uid != 0)
        return err_set(
            err, ERR_UNSUPPORTED,
            "%s belongs to user %u, who could change what it does: run 'chown %u %s', or "
            "use a copy of your own",
            path, (unsigned)st.st_uid, (unsigned)geteuid(), path);
    if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s is writable by others (mode %03o), who could change what it does: run "
                       "'chmod go-w %s'",
                       path, (unsigned)st.st_mode & 07777, path);
    return check_directory(directory, path_file(str_of(path)).text, err);
}

/* In a user namespace that does not map root, as in many containers and sandboxes, what belongs to
 * root seems to belong to the overflow user. */
static bool may_be_root(uid_t user)
{
    char map[64];
    size_t len = 0;
    unsigned long first = 0, outside = 0, count = 0;
    if (user != OVERFLOW_USER || !process_file_read(map, &len, sizeof map, PROCESS_SELF, "uid_map"))
        return false;
    return sscanf(map, "%lu %lu %lu", &first, &outside, &count) == 3 && count <= OVERFLOW_USER;
}

/* Whoever owns a directory may rename what is in it, with a sticky bit, too. */
bool ownership_of_parent(const char *path, struct err *err)
{
    struct stat st;
    if (!read_owner(&st, path, err))
        return false;
    if (st.st_uid != geteuid() && st.st_uid != 0 && !may_be_root(st.st_uid))
        return err_set(err, ERR_UNSUPPORTED,
                       "it belongs to user %u, who could rename a session in it: name a directory "
                       "of your own with --session-dir",
                       (unsigned)st.st_uid);
    return !others_may_write(&st) ||
           err_set(err, ERR_UNSUPPORTED,
                   "it is writable by others (mode %03o), who could rename a session in it: run "
                   "'chmod o-w %s', or name another with --session-dir",
                   (unsigned)st.st_mode & 07777, path);
}

bool ownership_of_session(int fd, struct err *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return err_set_errno(err, "its owner cannot be determined");
    if (st.st_uid != geteuid() && geteuid() != 0)
        return err_set(err, ERR_UNSUPPORTED, "it belongs to user %u", (unsigned)st.st_uid);
    return (st.st_mode & (S_IWGRP | S_IWOTH)) == 0 ||
           err_set(err, ERR_UNSUPPORTED,
                   "it is writable by others (mode %03o), who could change its counts; run 'chmod "
                   "700' on it if nobody has",
                   (unsigned)st.st_mode & 07777);
}

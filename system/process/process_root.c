#include "system/process/process_root.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
    NAMESPACE_ROOM = 64 /* "mnt:[4026531840]" */
};

static bool has_our_mounts(int pid)
{
    char theirs[NAMESPACE_ROOM], ours[NAMESPACE_ROOM];
    return process_file_link(theirs, sizeof theirs, pid, "ns/mnt") &&
           process_file_link(ours, sizeof ours, PROCESS_SELF, "ns/mnt") &&
           strcmp(theirs, ours) == 0;
}

/* It may have another one by chroot. */
static bool has_our_root(int pid)
{
    char path[PROCESS_PATH_ROOM];
    struct stat ours, theirs;
    process_file_path(path, pid, "root");
    return stat("/", &ours) == 0 && stat(path, &theirs) == 0 && ours.st_dev == theirs.st_dev &&
           ours.st_ino == theirs.st_ino;
}

bool process_root_is_same(int pid)
{
    return has_our_mounts(pid) && has_our_root(pid);
}

bool process_root_read(char *out, size_t room, int pid)
{
    return process_file_link(out, room, pid, "root");
}

bool process_root_path(char *out, size_t room, int pid, const char *path)
{
    char root[PROCESS_PATH_ROOM];
    process_file_path(root, pid, "root");
    int len = snprintf(out, room, "%s%s", root, path);
    return len >= 0 && (size_t)len < room;
}

bool process_root_path_from_cwd(char *out, size_t room, int pid, const char *path)
{
    char cwd[PROCESS_PATH_ROOM];
    process_file_path(cwd, pid, "cwd");
    int len = snprintf(out, room, "%s/%s", cwd, path);
    return len >= 0 && (size_t)len < room;
}

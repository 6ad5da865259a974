#include "system/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/path.h"
#include "system/file.h"

/* --- process file ----------------------------------------------------------------------------- */

void process_file_path(char out[PROCESS_PATH_ROOM], int pid, const char *name)
{
    if (pid == PROCESS_SELF)
        (void)snprintf(out, PROCESS_PATH_ROOM, "/proc/self/%s", name);
    else
        (void)snprintf(out, PROCESS_PATH_ROOM, "/proc/%ld/%s",
                       (long)(pid == PROCESS_PARENT ? getppid() : pid), name);
}

bool process_file_read(char *out, size_t *len, size_t room, int pid, const char *name)
{
    char path[PROCESS_PATH_ROOM];
    process_file_path(path, pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int64_t got = fd >= 0 ? 1 : -1;
    *len = 0;
    while (got > 0 && *len + 1 < room) {
        got = file_read_some(fd, out + *len, room - 1 - *len);
        *len += got > 0 ? (size_t)got : 0;
    }
    (void)file_close(fd);
    if (got < 0)
        *len = 0;
    out[*len] = '\0';
    return *len != 0;
}

bool process_file_link(char *out, size_t room, int pid, const char *name)
{
    char path[PROCESS_PATH_ROOM];
    process_file_path(path, pid, name);
    int64_t len = readlink(path, out, room - 1);
    out[len > 0 ? len : 0] = '\0';
    return len > 0;
}

/* --- process self ----------------------------------------------------------------------------- */

int process_self(void)
{
    return getpid();
}

int process_self_parent(void)
{
    return getppid();
}

const char *process_self_name(void)
{
    return program_invocation_short_name;
}

/* --- process life ----------------------------------------------------------------------------- */

bool process_lives(int pid)
{
    return kill(pid, 0) == 0 || errno == EPERM;
}

void process_ask_to_end(int pid)
{
    (void)kill(pid, SIGTERM);
}

void process_kill(int pid)
{
    (void)kill(pid, SIGKILL);
}

/* --- process list ----------------------------------------------------------------------------- */

/* 0: not that of a process. */
static int pid_of(const char *name)
{
    char *end = NULL;
    if (name[0] < '1' || name[0] > '9')
        return 0;
    long pid = strtol(name, &end, 10);
    return *end == '\0' && pid <= INT_MAX ? (int)pid : 0;
}

bool process_list_visit(bool (*take)(void *context, int pid), void *context)
{
    DIR *folder = opendir("/proc");
    if (folder == NULL)
        return false;
    bool more = true;
    for (struct dirent *entry = readdir(folder); more && entry != NULL; entry = readdir(folder)) {
        int pid = pid_of(entry->d_name);
        if (pid != 0)
            more = take(context, pid);
    }
    (void)closedir(folder);
    return true;
}

/* --- process name ----------------------------------------------------------------------------- */

static bool read_comm(char out[PROCESS_NAME_ROOM], int pid, const char *file)
{
    size_t len = 0;
    bool ok = process_file_read(out, &len, PROCESS_NAME_ROOM, pid, file);
    if (len != 0 && out[len - 1] == '\n')
        out[len - 1] = '\0';
    return ok;
}

bool process_name_read(char out[PROCESS_NAME_ROOM], int pid)
{
    return read_comm(out, pid, "comm");
}

bool process_name_of_thread(char out[PROCESS_NAME_ROOM], int pid, uint32_t thread)
{
    char file[32];
    (void)snprintf(file, sizeof file, "task/%lu/comm", (unsigned long)thread);
    return read_comm(out, pid, file);
}

/* --- process program -------------------------------------------------------------------------- */

enum {
    ENVIRONMENT_LIMIT = 8 << 20, /* bytes; the kernel's own limit is 6 MiB */
};

bool process_program_path(char *out, size_t room, int pid, struct err *err)
{
    char path[PROCESS_PATH_ROOM];
    if (process_file_link(out, room, pid, "exe"))
        return true;
    process_file_path(path, pid, "exe");
    return err_set_errno(err, "%s", path);
}

bool process_program_arguments(char *out, size_t *len, size_t room, int pid)
{
    return process_file_read(out, len, room, pid, "cmdline");
}

bool process_program_environment(struct str *out, int pid, struct arena *arena, struct err *err)
{
    char path[PROCESS_PATH_ROOM];
    process_file_path(path, pid, "environ");
    *out = (struct str){NULL, 0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return true;
    bool ok = file_text_read(out, fd, ENVIRONMENT_LIMIT, arena, err);
    (void)close(fd);
    return ok;
}

/* --- process descriptors ---------------------------------------------------------------------- */

void process_descriptors_visit(int pid, bool (*take)(void *context, struct str target),
                               void *context)
{
    char path[PROCESS_PATH_ROOM], target[PATH_ROOM];
    process_file_path(path, pid, "fd");
    DIR *folder = opendir(path);
    if (folder == NULL)
        return;
    bool more = true;
    for (struct dirent *entry = readdir(folder); more && entry != NULL; entry = readdir(folder)) {
        ssize_t len = readlinkat(dirfd(folder), entry->d_name, target, sizeof target);
        if (len > 0)
            more = take(context, (struct str){target, (size_t)len});
    }
    (void)closedir(folder);
}

/* --- process root ----------------------------------------------------------------------------- */

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

/* --- process call ----------------------------------------------------------------------------- */

/* clang-format off */
#define CALL(name) {SYS_##name, #name}
static const struct {
    int number;
    const char *name;
} calls[] = {
    CALL(read), CALL(readv), CALL(pread64), CALL(preadv), CALL(write), CALL(writev), CALL(pwrite64),
    CALL(pwritev), CALL(ppoll), CALL(pselect6), CALL(epoll_pwait), CALL(nanosleep),
    CALL(clock_nanosleep), CALL(accept), CALL(accept4), CALL(connect), CALL(recvfrom),
    CALL(recvmsg), CALL(recvmmsg), CALL(sendto), CALL(sendmsg), CALL(sendfile), CALL(splice),
    CALL(wait4), CALL(waitid), CALL(flock), CALL(fcntl), CALL(openat), CALL(close), CALL(fsync),
    CALL(fdatasync), CALL(ioctl), CALL(rt_sigtimedwait), CALL(rt_sigsuspend), CALL(msgrcv),
    CALL(msgsnd), CALL(semop), CALL(semtimedop), CALL(mq_timedreceive), CALL(io_getevents),
#ifdef SYS_poll /* not on arm64 */
    CALL(open), CALL(poll), CALL(select), CALL(epoll_wait), CALL(pause),
#endif
};
/* clang-format on */

/* "0 0x3 ...", or "running". */
int process_call_of_thread(uint32_t thread)
{
    char file[40], text[16], *end = text;
    size_t len = 0;
    (void)snprintf(file, sizeof file, "task/%lu/syscall", (unsigned long)thread);
    if (!process_file_read(text, &len, sizeof text, PROCESS_SELF, file))
        return PROCESS_NO_CALL;
    long number = strtol(text, &end, 10);
    return end == text || *end != ' ' || number < 0 || number == SYS_futex ? PROCESS_NO_CALL
                                                                           : (int)number;
}

const char *process_call_name(int number)
{
    for (size_t i = 0; i < ARRAY_LEN(calls); i++)
        if (calls[i].number == number)
            return calls[i].name;
    return NULL;
}

/* --- variables -------------------------------------------------------------------------------- */

char **variables_all(void)
{
    return environ;
}

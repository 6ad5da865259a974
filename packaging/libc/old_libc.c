/* old_libc.c - what libilcov.so calls and glibc 2.17 has under other names (stat since 2.33) or not
 * at all (gettid since 2.30): the system calls themselves. Only the library that is built for
 * distribution has this file.
 * Source: stat(2), gettid(2). */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int fstatat(int folder, const char *restrict path, struct stat *restrict info, int flags)
{
    return (int)syscall(SYS_newfstatat, folder, path, info, flags);
}

int stat(const char *restrict path, struct stat *restrict info)
{
    return fstatat(AT_FDCWD, path, info, 0);
}

int lstat(const char *restrict path, struct stat *restrict info)
{
    return fstatat(AT_FDCWD, path, info, AT_SYMLINK_NOFOLLOW);
}

int fstat(int fd, struct stat *info)
{
    return (int)syscall(SYS_fstat, fd, info);
}

pid_t gettid(void)
{
    return (pid_t)syscall(SYS_gettid);
}

#include "system/file/open_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

_Static_assert(FILE_HERE == AT_FDCWD, "names in the current folder");

static int flags_of(unsigned use)
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
    return openat(folder, name, flags_of(use), 0600);
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

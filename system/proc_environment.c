#include "system/proc_environment.h"

#include <fcntl.h>
#include <unistd.h>

#include "system/file_text.h"

enum {
    ENVIRONMENT_LIMIT = 8 << 20, /* bytes; the kernel's own limit is 6 MiB */
};

bool proc_environment_read(struct str *out, pid_t pid, struct arena *arena, struct err *err)
{
    char path[PROC_PATH_ROOM];
    proc_file_path(path, pid, "environ");
    *out = (struct str){NULL, 0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return true;
    bool ok = file_text_read(out, fd, ENVIRONMENT_LIMIT, arena, err);
    (void)close(fd);
    return ok;
}

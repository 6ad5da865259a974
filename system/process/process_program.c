#include "system/process/process_program.h"

#include <fcntl.h>
#include <unistd.h>

#include "system/file/file_text.h"

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

#include "system/proc_program.h"

bool proc_program_path(char *out, size_t room, pid_t pid, struct err *err)
{
    char path[PROC_PATH_ROOM];
    if (proc_file_link(out, room, pid, "exe"))
        return true;
    proc_file_path(path, pid, "exe");
    return err_set_errno(err, "%s", path);
}

bool proc_program_arguments(char *out, size_t *len, size_t room, pid_t pid)
{
    return proc_file_read(out, len, room, pid, "cmdline");
}

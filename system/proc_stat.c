#include "system/proc_stat.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The command in field 2 may contain anything, so fields are counted from its last parenthesis. */
static bool parse(struct proc_stat *out, const char *text)
{
    const char *behind_name = strrchr(text, ')');
    return behind_name != NULL &&
           sscanf(behind_name + 1,
                  " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                  "%*s %*s %*s %llu",
                  &out->state, &out->start_ticks) == 2;
}

bool proc_stat_read(struct proc_stat *out, pid_t pid)
{
    char path[64] = "/proc/self/stat", text[1024];
    if (pid != PROC_SELF)
        (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t len = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        (void)close(fd);
    *out = (struct proc_stat){.state = '\0'};
    if (len <= 0)
        return false;
    text[len] = '\0';
    return parse(out, text);
}

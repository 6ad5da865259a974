#include "system/process/process_stat.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The command in field 2 may contain anything, so fields are counted from its last parenthesis. */
static bool parse(struct process_stat *out, const char *text)
{
    const char *after_name = strrchr(text, ')');
    return after_name != NULL &&
           sscanf(after_name + 1,
                  " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                  "%*s %*s %*s %llu",
                  &out->state, &out->start_ticks) == 2;
}

bool process_stat_read(struct process_stat *out, int pid)
{
    char text[1024];
    size_t len = 0;
    *out = (struct process_stat){.state = '\0'};
    return process_file_read(text, &len, sizeof text, pid, "stat") && parse(out, text);
}

double process_stat_age(const struct process_stat *stat)
{
    struct timespec now;
    if (clock_gettime(CLOCK_BOOTTIME, &now) != 0)
        return 0;
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9 -
           (double)stat->start_ticks / (double)sysconf(_SC_CLK_TCK);
}

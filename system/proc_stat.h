/* proc_stat.h - what the kernel says of a process: is it there, and since when?
 * Source: proc(5), /proc/<pid>/stat.
 * Units:  start_ticks in clock ticks (sysconf(_SC_CLK_TCK)) since the machine started; with its pid
 *         it names a process for good. */
#ifndef ILCOV_SYSTEM_PROC_STAT_H
#define ILCOV_SYSTEM_PROC_STAT_H

#include <sys/types.h>

#include "base/base.h"

enum {
    PROC_SELF = 0, /* whatever its number is where /proc was mounted */
};

struct proc_stat {
    char state; /* 'Z', 'X': it has ended, and its parent did not fetch it yet */
    unsigned long long start_ticks;
};

/* False when there is no such process. */
NODISCARD bool proc_stat_read(struct proc_stat *out, pid_t pid);

static inline bool proc_stat_has_ended(const struct proc_stat *stat)
{
    return stat->state == 'Z' || stat->state == 'X';
}

#endif

/* proc_stat.h - what the kernel says about a process: does it exist, and since when?
 * Source: proc(5), /proc/<pid>/stat.
 * Units:  start_ticks in clock ticks (sysconf(_SC_CLK_TCK)) since the machine started; with its pid
 *         it identifies a process uniquely. */
#ifndef ILCOV_SYSTEM_PROC_STAT_H
#define ILCOV_SYSTEM_PROC_STAT_H

#include "system/proc_file.h"

struct proc_stat {
    char state; /* 'Z', 'X': it has ended, but its parent has not waited for it yet */
    unsigned long long start_ticks;
};

/* False if there is no such process. */
NODISCARD bool proc_stat_read(struct proc_stat *out, pid_t pid);

/* Seconds since it started; 0 if the clock cannot be read. */
double proc_stat_age(const struct proc_stat *stat);

static inline bool proc_stat_has_ended(const struct proc_stat *stat)
{
    return stat->state == 'Z' || stat->state == 'X';
}

#endif

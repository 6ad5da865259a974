/* process_stat.h - what the kernel says about a process: does it exist, and since when?
 * Source: proc(5), /proc/<pid>/stat.
 * Units:  start_ticks in clock ticks (sysconf(_SC_CLK_TCK)) since the machine started; with its pid
 *         it identifies a process uniquely. */
#ifndef ILCOV_SYSTEM_PROCESS_PROCESS_STAT_H
#define ILCOV_SYSTEM_PROCESS_PROCESS_STAT_H

#include "system/process/process_file.h"

struct process_stat {
    int parent; /* its ID; 0: in another namespace */
    char state; /* 'Z', 'X': it has ended, but its parent has not waited for it yet */
    unsigned long long start_ticks;
};

/* False if there is no such process. */
NODISCARD bool process_stat_read(struct process_stat *out, int pid);

/* Seconds since it started; 0 if the clock cannot be read. */
double process_stat_age(const struct process_stat *stat);

/* When it started, in Unix seconds, rounded down; 0 if a clock cannot be read. Always the same,
 * unless somebody sets the clock. */
int64_t process_stat_started(const struct process_stat *stat);

static inline bool process_stat_has_ended(const struct process_stat *stat)
{
    return stat->state == 'Z' || stat->state == 'X';
}

#endif

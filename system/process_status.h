/* process_status.h - what the kernel says about a process: does it exist, since when, whose is it,
 * which pids has it, and who traces it?
 * Source: proc(5), /proc/<pid>/stat and /proc/<pid>/status. Every user may read them.
 * Units:  start_ticks in clock ticks (sysconf(_SC_CLK_TCK)) since the machine started; with its pid
 *         it identifies a process uniquely. */
#pragma once

#include "system/process.h"

struct process_status {
    int leader;     /* another pid than the one asked about: that is a thread of this process */
    int inner_pid;  /* as the process sees itself, in its own namespace of pids */
    int tracer;     /* its pid; 0: none, or in another namespace */
    uint32_t owner; /* effective */
};

/* False if there is no such process. */
NODISCARD bool process_status_read(struct process_status *out, int pid);

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

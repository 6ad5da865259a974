/* proc_status.h - whose a process is, and which pids it has.
 * Source: proc(5), /proc/<pid>/status. Every user may read it. */
#ifndef ILCOV_SYSTEM_PROC_STATUS_H
#define ILCOV_SYSTEM_PROC_STATUS_H

#include "system/proc_file.h"

struct proc_status {
    pid_t leader;    /* another pid than the one asked about: that is a thread of this process */
    pid_t inner_pid; /* as the process sees itself, in its own namespace of pids */
    uid_t owner;     /* effective */
};

/* False if there is no such process. */
NODISCARD bool proc_status_read(struct proc_status *out, pid_t pid);

#endif

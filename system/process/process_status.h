/* process_status.h - whose a process is, which pids it has, and who traces it.
 * Source: proc(5), /proc/<pid>/status. Every user may read it. */
#ifndef ILCOV_SYSTEM_PROCESS_PROCESS_STATUS_H
#define ILCOV_SYSTEM_PROCESS_PROCESS_STATUS_H

#include "system/process/process_file.h"

struct process_status {
    int leader;     /* another pid than the one asked about: that is a thread of this process */
    int inner_pid;  /* as the process sees itself, in its own namespace of pids */
    int tracer;     /* its pid; 0: none, or in another namespace */
    uint32_t owner; /* effective */
};

/* False if there is no such process. */
NODISCARD bool process_status_read(struct process_status *out, int pid);

#endif

/* process_call.h - the system call that a thread of this process waits in.
 * Source: proc(5), /proc/PID/task/TID/syscall; syscalls(2).
 * Target: safe to call there on any thread: no locks, no allocations, libc only. */
#ifndef ILCOV_SYSTEM_PROCESS_PROCESS_CALL_H
#define ILCOV_SYSTEM_PROCESS_PROCESS_CALL_H

#include "base/base.h"

enum {
    PROCESS_NO_CALL = -1
};

/* Its number; PROCESS_NO_CALL: the thread runs, or waits for a lock (futex), as it also does when
 * it is stopped for a walk. */
int process_call_of_thread(uint32_t thread);

/* "poll"; NULL: none that usually waits. */
const char *process_call_name(int number);

#endif

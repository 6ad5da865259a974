/* process_self.h - who this process is. Whose it is: system/user.h.
 * Target: safe to call there on any thread: no locks, no allocations, libc only. */
#ifndef ILCOV_SYSTEM_PROCESS_PROCESS_SELF_H
#define ILCOV_SYSTEM_PROCESS_PROCESS_SELF_H

/* Its ID, and that of its parent: 0 for one in another namespace. */
int process_self(void);
int process_self_parent(void);

/* The file name of its program, as it was started. */
const char *process_self_name(void);

#endif

/* proc_name.h - the name that the kernel has for a process or one of its threads. Both choose their
 * name themselves, out of any bytes.
 * Source: proc(5), /proc/<pid>/comm and /proc/<pid>/task/<tid>/comm. */
#ifndef ILCOV_SYSTEM_PROC_NAME_H
#define ILCOV_SYSTEM_PROC_NAME_H

#include <stdint.h>

#include "system/proc_file.h"

enum {
    PROC_NAME_ROOM = 32 /* bytes; the kernel's own limit, TASK_COMM_LEN, is 16 */
};

/* False, with an empty name, if there is no such process or thread. */
bool proc_name_read(char out[PROC_NAME_ROOM], pid_t pid);
bool proc_name_of_thread(char out[PROC_NAME_ROOM], pid_t pid, uint32_t thread);

#endif

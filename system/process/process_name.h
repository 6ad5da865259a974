/* process_name.h - the name that the kernel has for a process or one of its threads. Both
 * choose their name themselves, out of any bytes.
 * Source: proc(5), /proc/<pid>/comm and /proc/<pid>/task/<tid>/comm. */
#ifndef ILCOV_SYSTEM_PROCESS_PROCESS_NAME_H
#define ILCOV_SYSTEM_PROCESS_PROCESS_NAME_H

#include <stdint.h>

#include "system/process/process_file.h"

enum {
    PROCESS_NAME_ROOM = 32 /* bytes; the kernel's own limit, TASK_COMM_LEN, is 16 */
};

/* False, with an empty name, if there is no such process or thread. */
bool process_name_read(char out[PROCESS_NAME_ROOM], int pid);
bool process_name_of_thread(char out[PROCESS_NAME_ROOM], int pid, uint32_t thread);

#endif

/* process_list.h - which processes there are.
 * Source: proc(5); its folders of processes are listed in the order of their IDs. */
#ifndef ILCOV_SYSTEM_PROCESS_PROCESS_LIST_H
#define ILCOV_SYSTEM_PROCESS_PROCESS_LIST_H

#include "system/process/process_file.h"

/* Calls `take` for each process until it returns false. Some may have ended meanwhile, others
 * started. False, with errno set, if /proc cannot be listed. */
NODISCARD bool process_list_visit(bool (*take)(void *context, int pid), void *context);

#endif

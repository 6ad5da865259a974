/* proc_list.h - which processes there are.
 * Source: proc(5); its folders of processes are listed in the order of their IDs. */
#ifndef ILCOV_SYSTEM_PROC_LIST_H
#define ILCOV_SYSTEM_PROC_LIST_H

#include "system/proc_file.h"

/* Calls `take` for each process until it returns false. Some may have ended meanwhile, others
 * started. False, with errno set, if /proc cannot be listed. */
NODISCARD bool proc_list_visit(bool (*take)(void *context, pid_t pid), void *context);

#endif

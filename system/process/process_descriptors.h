/* process_descriptors.h - which files a process has open.
 * Source: proc(5), /proc/<pid>/fd. Only its owner may read it. */
#ifndef ILCOV_SYSTEM_PROCESS_PROCESS_DESCRIPTORS_H
#define ILCOV_SYSTEM_PROCESS_PROCESS_DESCRIPTORS_H

#include "base/text.h"
#include "system/process/process_file.h"

/* Calls `take` with what each open descriptor leads to, mostly a path, until it returns false. The
 * target is valid during the call, without a NUL after it. Nothing if they cannot be read. */
void process_descriptors_visit(int pid, bool (*take)(void *context, struct str target),
                               void *context);

#endif

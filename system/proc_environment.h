/* proc_environment.h - the environment variables of a process, as they were when it started.
 * Source: proc(5), /proc/<pid>/environ.
 * Owner:  the text lives in the arena. */
#ifndef ILCOV_SYSTEM_PROC_ENVIRONMENT_H
#define ILCOV_SYSTEM_PROC_ENVIRONMENT_H

#include "base/text.h"
#include "system/proc_file.h"

/* NAME=value, each with a NUL after it. `out->text` is NULL if ilcov may not read it, which is
 * not an error. ERR_IO, ERR_MEMORY. */
NODISCARD bool proc_environment_read(struct str *out, pid_t pid, struct arena *arena,
                                     struct err *err);

#endif

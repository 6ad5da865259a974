/* proc_program.h - which program a process runs, and with which arguments and environment variables
 * it started.
 * Source: proc(5), /proc/<pid>/exe, /proc/<pid>/cmdline and /proc/<pid>/environ. */
#ifndef ILCOV_SYSTEM_PROC_PROGRAM_H
#define ILCOV_SYSTEM_PROC_PROGRAM_H

#include "base/text.h"
#include "system/proc_file.h"

/* The program's file: a real path, as the process sees it; " (deleted)" may follow it. Cut at
 * room - 1 bytes. ERR_IO, with an empty `out`: only its owner may know. */
bool proc_program_path(char *out, size_t room, pid_t pid, struct err *err);

/* The first room - 1 bytes of the command line, in `len`: each argument with a NUL after it, and
 * one more NUL at the end. False if it has none or has ended. */
bool proc_program_arguments(char *out, size_t *len, size_t room, pid_t pid);

/* NAME=value, each with a NUL after it, in the arena. `out->text` is NULL if ilcov may not read it,
 * which is not an error. ERR_IO, ERR_MEMORY. */
NODISCARD bool proc_program_environment(struct str *out, pid_t pid, struct arena *arena,
                                        struct err *err);

#endif

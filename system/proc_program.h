/* proc_program.h - which program a process runs, and with which arguments.
 * Source: proc(5), /proc/<pid>/exe and /proc/<pid>/cmdline. */
#ifndef ILCOV_SYSTEM_PROC_PROGRAM_H
#define ILCOV_SYSTEM_PROC_PROGRAM_H

#include "base/err.h"
#include "system/proc_file.h"

/* The program's file: a real path, as the process sees it; " (deleted)" may follow it. Cut at
 * room - 1 bytes. ERR_IO, with an empty `out`: only its owner may know. */
bool proc_program_path(char *out, size_t room, pid_t pid, struct err *err);

/* The first room - 1 bytes of the command line, in `len`: each argument with a NUL after it, and
 * one more NUL at the end. False if it has none or has ended. */
bool proc_program_arguments(char *out, size_t *len, size_t room, pid_t pid);

#endif

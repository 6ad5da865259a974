/* process_program.h - which program a process runs, and with which arguments and environment
 * variables it started.
 * Source: proc(5), /proc/<pid>/exe, /proc/<pid>/cmdline and /proc/<pid>/environ. */
#ifndef ILCOV_SYSTEM_PROCESS_PROCESS_PROGRAM_H
#define ILCOV_SYSTEM_PROCESS_PROCESS_PROGRAM_H

#include "base/text.h"
#include "system/process/process_file.h"

/* The program's file: a real path, as the process sees it; " (deleted)" may follow it. Cut at
 * room - 1 bytes. ERR_IO, with an empty `out`: only its owner may know. */
bool process_program_path(char *out, size_t room, int pid, struct err *err);

/* The first room - 1 bytes of the command line, in `len`: each argument with a NUL after it, and
 * one more NUL at the end. False if it has none or has ended. */
bool process_program_arguments(char *out, size_t *len, size_t room, int pid);

/* NAME=value, each with a NUL after it, in the arena. `out->text` is NULL if ilcov may not read it,
 * which is not an error. ERR_IO, ERR_MEMORY. */
NODISCARD bool process_program_environment(struct str *out, int pid, struct arena *arena,
                                           struct err *err);

#endif

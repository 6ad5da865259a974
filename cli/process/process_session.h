/* process_session.h - in which session a running process counts, and what its library has written
 * about it there. The session is found by the files that the process has open or mapped, else by
 * its environment. */
#ifndef ILCOV_CLI_PROCESS_PROCESS_SESSION_H
#define ILCOV_CLI_PROCESS_PROCESS_SESSION_H

#include "cli/process/process.h"

/* The directory of the session that this process counts in, as ilcov can open it. ERR_IO when there
 * is no such process, ERR_UNSUPPORTED when it counts in none. */
NODISCARD bool process_session(char *path, size_t room, int pid, struct err *err);

NODISCARD bool process_find_session(char *path, size_t room, const struct process *process,
                                    struct err *err);

/* Names its record in a session. */
#define PROCESS_RECORD_ROOM 64
void process_record_name(char out[PROCESS_RECORD_ROOM], const struct process *process);

/* What its library has written so far. ERR_IO when there is no record. */
NODISCARD bool process_record(struct session_process *out, const struct process *process,
                              const char *session, struct arena *arena, struct err *err);

#endif

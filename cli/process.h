/* process.h - what /proc tells of a process that was not started by us: whose it is, whether it runs
 * .NET, what its settings are, which profiler it has, and in which session it counts.
 * Source: proc(5). What is read belongs to another program and is believed only where it fits.
 * Owner:  the environment lives in the arena. */
#ifndef ILCOV_CLI_PROCESS_H
#define ILCOV_CLI_PROCESS_H

#include <limits.h>
#include <sys/types.h>

#include "coverage/session.h"

enum {
    PROCESS_NAME_ROOM = 64,
    PROCESS_ENVIRONMENT_LIMIT = 8 << 20, /* bytes; the kernel's own limit is 6 MiB */
};

struct process {
    pid_t pid;       /* as we see it */
    pid_t inner_pid; /* as it sees itself, in its own namespace of process numbers */
    uid_t owner;     /* effective */
    uint64_t start_ticks;
    double age_seconds;
    bool has_our_files; /* its mount namespace is ours, so paths mean the same */
    bool is_closed;     /* what follows may not be looked at */
    char program[PATH_MAX];
    char name
        [PROCESS_NAME_ROOM]; /* for people: of its file, or of the assembly that `dotnet` runs */
    char runtime[PATH_MAX];  /* libcoreclr.so; empty: none, not yet, or it is within the program */
    char library[PATH_MAX];  /* our libilcov.so when it is loaded, or empty */
    const char *profiler;    /* name of another profiler whose library is loaded, or NULL */
    struct view environment; /* NAME=value, each with a NUL behind it */
};

/* A number that may be a process's. */
NODISCARD bool process_number(pid_t *out, const char *text);

/* ERR_IO when there is no such process, or it ended. */
NODISCARD bool process_read(struct process *out, pid_t pid, struct arena *arena, struct err *err);

/* Of its environment as it was when it started; NULL: not set. */
const char *process_variable(const struct process *process, const char *name);

/* A path of the process as we can open it: through its root where its files are not ours. */
NODISCARD bool process_path(char *out, size_t room, const struct process *process, const char *path,
                            struct err *err);

/* Where it has what is temporary: TMPDIR or /tmp, as we can open it. */
NODISCARD bool process_temporary(char *out, size_t room, const struct process *process,
                                 struct err *err);

/* The directory of the session that this process counts in, as we can open it. ERR_IO when there is no
 * such process, ERR_UNSUPPORTED when it counts in none. */
NODISCARD bool process_session(char *path, size_t room, pid_t pid, struct err *err);

/* Names its record in a session. */
#define PROCESS_RECORD_ROOM 64
void process_record_name(char out[PROCESS_RECORD_ROOM], const struct process *process);

/* What its library has written so far. ERR_IO when there is no record. */
NODISCARD bool process_record(struct session_process *out, const struct process *process,
                              const char *session, struct arena *arena, struct err *err);

#endif

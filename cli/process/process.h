/* process.h - what /proc tells of a process that was not started by us: whose it is, whether it
 * runs .NET, what its settings are, and which profiler it has.
 * Source: proc(5). What is read belongs to another program and is believed only where it fits.
 * Owner:  the environment lives in the arena. */
#ifndef ILCOV_CLI_PROCESS_PROCESS_H
#define ILCOV_CLI_PROCESS_PROCESS_H

#include <limits.h>
#include <sys/types.h>

#include "coverage/session/session.h"

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

/* Calls `take` with the path of each mapping of a file, until it says that it has enough. False
 * when they may not be looked at. */
bool process_visit_files(pid_t pid, bool (*take)(void *context, struct str path), void *context);

/* The rest of an open file of a process, up to `limit` bytes, with a NUL behind them. */
NODISCARD bool process_read_text(struct str *out, int fd, size_t limit, struct arena *arena,
                                 struct err *err);

#endif

/* other_process.h - what /proc says about a process that ilcov did not start: its owner, whether it
 * runs .NET, its settings, and which profiler it has.
 * Source: proc(5). What is read belongs to another program and is checked before it is used.
 * Owner:  the environment lives in the arena. */
#pragma once

#include "base/path.h"
#include "coverage/session/session.h"

enum {
    PROCESS_LABEL_ROOM = 64
};

struct process {
    int pid;        /* as ilcov sees it */
    int inner_pid;  /* as it sees itself, in its own namespace of process numbers */
    uint32_t owner; /* effective */
    uint64_t start_ticks;
    double age_seconds;
    int64_t started;    /* Unix seconds */
    bool has_our_files; /* it has ilcov's mount namespace, so paths mean the same */
    bool is_closed;     /* what follows may not be read */
    char program[PATH_ROOM];
    /* for people: of its file, or of the assembly that `dotnet` runs; never empty */
    char name[PROCESS_LABEL_ROOM];
    char runtime[PATH_ROOM]; /* libcoreclr.so; empty: none, not yet, or it is within the program */
    char library[PATH_ROOM]; /* libilcov.so if it is loaded, or empty */
    const char *profiler;    /* name of another profiler whose library is loaded, or NULL */
    struct view environment; /* NAME=value, each followed by a NUL */
};

/* Reads a number that can be a process ID. */
NODISCARD bool process_number(int *out, const char *text);

/* ERR_IO when there is no such process, or it ended. */
NODISCARD bool process_read(struct process *out, int pid, struct arena *arena, struct err *err);

/* A variable of its environment as it was at the start; NULL: not set. */
const char *process_variable(const struct process *process, const char *name);

/* A path of the process as ilcov can open it: through its root if it has its own files. */
NODISCARD bool process_path(char *out, size_t room, const struct process *process, const char *path,
                            struct err *err);

/* Its directory for temporary files: TMPDIR or /tmp, as ilcov can open it. */
NODISCARD bool process_temporary(char *out, size_t room, const struct process *process,
                                 struct err *err);

/* --- in which session it counts, and what its library has written about it there ---
 *
 * The session is found by the files that the process has open or mapped, else by its environment.
 */

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

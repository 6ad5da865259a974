/* hang.h - a command that makes no progress: looks at its session from time to time, and prints the
 * stacks of its processes when no new code has run for too long (`run --hang-timeout`).
 *
 * Progress is a counter that is no longer zero, a new process, or a new line in the record of one.
 * So a loop that repeats code counts as hanging. The clock runs only while a measured process is
 * alive and has started: a build, a test driver that waits, or a runtime that starts slowly on a
 * busy machine is not a hang.
 *
 * With --hang-kill, hanging processes are ended: SIGTERM, then SIGKILL, and finally the command if
 * it is still there. Their counts are kept. */
#pragma once

#include "coverage/session/session.h"
#include "system/command.h"

enum {
    HANG_LOOK_LEAST_MS = 100,
    HANG_LOOK_MOST_MS = 5000,
    HANG_TERM_MS = 5000,     /* from SIGTERM to SIGKILL */
    HANG_COMMAND_MS = 10000, /* from there to the end of the command */
    HANG_ASK_MS = 10000,     /* for the stacks of a process */
    HANG_START_MS = 60000,   /* a runtime that starts for longer hangs, too */
};

/* What has run so far: grows only when something new runs. */
struct hang_progress {
    uint64_t counters; /* that are not zero */
    uint64_t lines;    /* grows with those of all process records */
};
NODISCARD bool hang_measure(struct hang_progress *out, const struct session *session,
                            struct arena *arena, struct err *err);

struct hang_process {
    int pid;
    uint64_t start_ticks;
};

enum hang_state {
    HANG_WATCHING,
    HANG_REPORTED,   /* the stacks are printed; until something new runs */
    HANG_TERMINATED, /* SIGTERM was sent */
    HANG_KILLED,     /* and SIGKILL */
    HANG_OVER,       /* to the command, too */
};

struct hang {
    struct command_watch watch; /* for command_wait; its context is this */
    const char *session;
    struct str root; /* sources below it are shown relative to it */
    uint32_t limit_ms, start_ms;
    bool kills;
    enum hang_state state;
    int64_t since_ms; /* of the last progress, or of the state */
    struct hang_progress progress;
    struct hang_process *hung; /* that were sent SIGTERM */
    uint32_t hung_count;
    struct arena *arena; /* of `hung` */
};

/* `session` and `root` outlive it. */
void hang_open(struct hang *out, const char *session, struct str root, uint32_t limit_ms,
               bool kills, struct arena *arena);

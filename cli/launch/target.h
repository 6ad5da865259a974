/* target.h - the command under measurement: started, waited for, and forwarded the signals that
 * were meant for it.
 *
 * Signals. A key at the terminal (Ctrl-C, Ctrl-\, hang-up) goes to every process of the foreground
 * group, so the command already has it; forwarded, it would arrive twice, and a second
 * Ctrl-C makes `dotnet test` kill what it would have ended in order. A signal that a
 * process sent to ilcov alone (kill, a CI agent, `docker stop`) never reached the command,
 * so it is forwarded. The sender tells them apart: the kernel or a process. A command that
 * left ilcov's group gets both. Stopping (Ctrl-Z, fg) is left to the shell: both are in
 * one group and stop and continue together.
 *
 * From target_hold on, such signals are blocked: none can end ilcov between creating a session and
 * removing it. After the command has ended, system/interruption.h watches for them; before, in
 * `attach`, target_interrupted says whether one arrived. */
#ifndef ILCOV_CLI_LAUNCH_TARGET_H
#define ILCOV_CLI_LAUNCH_TARGET_H

#include <signal.h>

#include "base/err.h"

/* Called from time to time while the command runs. */
struct target_watch {
    uint32_t (*look)(void *context, int command); /* returns the milliseconds to the next call */
    void *context;
};

struct target {
    sigset_t old_mask; /* what the command gets back */
    struct sigaction old_pipe, old_child;
    sigset_t watched;
    int pid;
    const struct target_watch *watch; /* NULL: there is none, and nothing wakes ilcov up */
};

void target_hold(struct target *out);

/* Starts argv[0], found along PATH. False when it can't be: *status is EXIT_NOT_FOUND or
 * EXIT_NOT_EXECUTABLE. */
NODISCARD bool target_start(struct target *target, char **argv, char **environment, int *status,
                            struct err *err);

/* Until it ends; its exit status, or 128 + n for signal n. Processes that it leaves behind are not
 * waited for. */
int target_wait(struct target *target);

/* The signal that came since the command ended, or 0. */
int target_interrupted(const struct target *target);

#endif

/* command.h - the command that this program runs: started, waited for, and forwarded the signals
 * that were meant for it. There is one at a time.
 *
 * Signals. A key at the terminal (Ctrl-C, Ctrl-\, hang-up) goes to every process of the foreground
 * group, so the command already has it; forwarded, it would arrive twice, and a second
 * Ctrl-C makes `dotnet test` kill what it would have ended in order. A signal that a
 * process sent to this program alone (kill, a CI agent, `docker stop`) never reached the
 * command, so it is forwarded. The sender tells them apart: the kernel or a process. A
 * command that left the program's group gets both. Stopping (Ctrl-Z, fg) is left to the
 * shell: both are in one group and stop and continue together.
 *
 * From command_hold_signals on, such signals are held: none can end this program between creating
 * something and removing it. After the command has ended, system/interruption.h watches for them.
 * Numbers are those of signals. */
#pragma once

#include "base/base.h"

/* Called from time to time while the command runs. */
struct command_watch {
    uint32_t (*look)(void *context, int command); /* returns the milliseconds to the next call */
    void *context;
    struct command_watch *next; /* NULL: the last one */
    int64_t due_ms;             /* command_wait's own; 0: at once */
};

void command_hold_signals(void);
/* Held signals that have come arrive now; all do what they did before. */
void command_release_signals(void);

/* Starts argv[0], found along PATH; the command gets signals as this program got them. Its process
 * ID, or -1 with the system's reason in errno. */
NODISCARD int command_start(char *const *argv, char *const *environment);

/* Until it ends; its exit status, or 128 + n for signal n. Processes that it leaves behind are not
 * waited for. `watches` NULL: there is none, and nothing wakes this program up. */
int command_wait(int command, struct command_watch *watches);

/* The first signal that came, for the command or for this program, while command_wait waited last;
 * 0: none did. */
int command_interrupted(void);

/* The signal that ended the command when command_wait waited last; 0: it ended by itself. */
int command_ended_by(void);

/* A held signal that has come, or 0. It stays. */
int command_signal(void);

/* Waits until a held signal comes, which it takes, together with one that follows at once: under
 * timeout(1) or npm one key arrives twice. False: the process ended, or the time is over. */
NODISCARD bool command_await_signal(int process, uint32_t limit_ms);

enum {
    EXIT_STATUS_NOT_EXECUTABLE = 126,
    EXIT_STATUS_NOT_FOUND = 127,
    EXIT_STATUS_SIGNAL = 128 /* and the number of the signal that ended it */
};

/* Of what waitpid says. */
int exit_status_of(int wait_status);

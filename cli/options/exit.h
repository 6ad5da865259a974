/* exit.h - the exit statuses of ilcov, and which one wins. `run` exits with its command's status
 * unless that is 0, and with 128 + n for signal n (cli/process/target.h). */
#pragma once

enum exit_status {
    EXIT_FINE = 0,
    EXIT_THRESHOLD = 1,
    EXIT_USAGE = 2, /* also: another profiler is configured */
    EXIT_BAD = 3,   /* bad input, an output that can't be written, nothing instrumented */
    EXIT_NOT_EXECUTABLE = 126,
    EXIT_NOT_FOUND = 127,
    EXIT_SIGNAL = 128, /* plus the signal's number */
};

/* If several things went wrong, the highest status wins: a failed gate does not hide an output that
 * was not written. */
static inline int exit_worse(int a, int b)
{
    return a > b ? a : b;
}

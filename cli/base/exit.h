/* exit.h - the exit statuses of ilcov, and which wins. `run` gives its command's status where that
 * is not 0, and 128 + n for signal n (cli/launch/target.h). */
#ifndef ILCOV_CLI_BASE_EXIT_H
#define ILCOV_CLI_BASE_EXIT_H

enum exit_status {
    EXIT_FINE = 0,
    EXIT_THRESHOLD = 1,
    EXIT_USAGE = 2, /* also: another profiler is configured */
    EXIT_BAD = 3,   /* bad input, an output that can't be written, nothing instrumented */
    EXIT_NOT_EXECUTABLE = 126,
    EXIT_NOT_FOUND = 127,
    EXIT_SIGNAL = 128, /* and the signal's number */
};

/* Of several things that went wrong the highest status wins: a gate that failed does not hide that
 * something was not written. */
static inline int exit_worse(int a, int b)
{
    return a > b ? a : b;
}

#endif

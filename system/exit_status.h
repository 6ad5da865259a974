/* exit_status.h - how a process ended, as a shell has it. */
#ifndef ILCOV_SYSTEM_EXIT_STATUS_H
#define ILCOV_SYSTEM_EXIT_STATUS_H

enum {
    EXIT_STATUS_NOT_EXECUTABLE = 126,
    EXIT_STATUS_NOT_FOUND = 127,
    EXIT_STATUS_SIGNAL = 128 /* and the number of the signal that ended it */
};

/* Of what waitpid says. */
int exit_status_of(int wait_status);

#endif

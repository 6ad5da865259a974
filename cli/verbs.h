/* verbs.h - what ilcov can be asked to do: one function a verb, one file each.
 * argv[0] is the verb's name. The result is the exit status. */
#ifndef ILCOV_CLI_VERBS_H
#define ILCOV_CLI_VERBS_H

#include "base/base.h"

/* `run` gives its command's status where that is not 0, and 128 + n for a signal (target.h). */
enum exit_status {
    EXIT_FINE = 0,
    EXIT_THRESHOLD = 1,
    EXIT_USAGE = 2, /* also: another profiler is configured */
    EXIT_BAD = 3,   /* bad input, an output that can't be written, nothing instrumented */
    EXIT_NOT_EXECUTABLE = 126,
    EXIT_NOT_FOUND = 127,
};

int verb_run(int argc, char **argv);
int verb_report(int argc, char **argv);
int verb_inspect(int argc, char **argv);
int verb_doctor(int argc, char **argv);

#endif

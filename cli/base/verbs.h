/* verbs.h - what ilcov can be asked to do: one file a verb. */
#ifndef ILCOV_CLI_BASE_VERBS_H
#define ILCOV_CLI_BASE_VERBS_H

#include "cli/base/options.h"

/* `run` gives its command's status where that is not 0, and 128 + n for a signal (target.h). */
enum exit_status {
    EXIT_FINE = 0,
    EXIT_THRESHOLD = 1,
    EXIT_USAGE = 2, /* also: another profiler is configured */
    EXIT_BAD = 3,   /* bad input, an output that can't be written, nothing instrumented */
    EXIT_NOT_EXECUTABLE = 126,
    EXIT_NOT_FOUND = 127,
};

struct verb {
    struct usage usage;
    const char *brief; /* a line of `ilcov --help` */
    /* The result is the exit status. What the options name, and what is made, lives in `arena`. */
    int (*act)(const struct options *options, struct arena *arena);
};

extern const struct verb verb_run, verb_report, verb_merge, verb_diff, verb_inspect, verb_doctor,
    verb_attach, verb_detach, verb_stacks, verb_env, verb_collect, verb_snapshot;

#endif

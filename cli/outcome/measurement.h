/* measurement.h - one measurement of any verb that makes one: what is asked before anything is
 * started, and how a session's counters become a data file, reports and a status. It knows of no
 * process: who has one tells by `interrupt` when a signal came for us. Both halves say
 * themselves what is wrong. */
#ifndef ILCOV_CLI_OUTCOME_MEASUREMENT_H
#define ILCOV_CLI_OUTCOME_MEASUREMENT_H

#include <limits.h>

#include "cli/base/measurement_options.h"
#include "cli/base/verb.h"
#include "cli/outcome/interrupt.h"
#include "coverage/collect/collect.h"

/* The verb sets the first five; the others may be 0. */
struct measurement {
    const struct measurement_options *options;
    const struct verb *verb; /* whose usage it is */
    struct arena *arena;
    char *const *command;         /* what is started, ends with NULL; NULL: nothing is */
    bool inherits;                /* what is measured gets our environment variables */
    struct session_config config; /* what the target is told, and which run it is */
    char session[PATH_MAX];       /* its directory, once there is one */
    char root[PATH_MAX];          /* of the sources */
    char library[PATH_MAX];       /* found by measurement_configure */
    struct interrupt interrupt;
    const struct baseline *baseline; /* of a snapshot, as in struct collect_options; or NULL */
    struct baseline *taken;
    bool is_empty; /* no method was instrumented, and --allow-empty says that this is fine */
};

/* The options' root, gates and outputs: can all be read and written that will have to be? Also what
 * `collect` and `snapshot` need. The result is an exit status. */
int measurement_check(struct measurement *measurement);

/* May our profiler be loaded, and where is it? The run gets its id and config: all that `env`
 * needs. */
int measurement_configure(struct measurement *measurement);

/* Both. */
int measurement_prepare(struct measurement *measurement);

/* Reads what the session holds now and says what went wrong in it. False: *status tells how it
 * ended, and nothing is to be written. `out` lives in the arena. */
NODISCARD bool measurement_collect(struct collect_result *out, struct measurement *measurement,
                                   int *status);

/* Data file, reports, summary, thresholds and gates of what was collected. The result is an exit
 * status. */
int measurement_write(const struct measurement *measurement, const struct facts *facts);

/* The last two. */
int measurement_finish(struct measurement *measurement);

#endif

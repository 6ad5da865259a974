/* measurement.h - one measurement, for any verb that makes one: the checks before anything is
 * started, and how a session's counters become a data file, reports and a status. The first signal
 * while it collects makes the data file partial: it has what was read so far and names the rest.
 * Both halves report errors to the user themselves. */
#pragma once

#include "base/path.h"
#include "cli/options/measurement_options.h"
#include "cli/options/progress_line.h"
#include "cli/options/verb.h"
#include "cli/publish/output_names.h"
#include "coverage/collect/collect.h"

/* The verb sets the first five; the others may be 0. */
struct measurement {
    const struct measurement_options *options;
    const struct verb *verb; /* named in usage errors */
    struct arena *arena;
    char *const *command;         /* what is started, ends with NULL; NULL: nothing is */
    bool inherits;                /* what is measured inherits ilcov's environment */
    struct session_config config; /* what is passed to the target, and the run's id */
    char session[PATH_ROOM];      /* its directory, once there is one */
    char root[PATH_ROOM];         /* of the sources */
    char library[PATH_ROOM];      /* found by measurement_configure */
    bool owns_session;            /* it may be renamed to be kept */
    struct progress_line line;    /* open since measurement_collect */
    char unread[512];             /* what a partial data file lacks */
    struct output_names before;   /* what there was of its files, set by the checks */
    struct solution solution;     /* read by the checks, if the options name one */
    bool since_reset;             /* only what was counted since the last `snapshot --reset` */
    struct baseline baseline;     /* where that is; read by measurement_collect */
    struct baseline *taken;       /* as in struct collect_options */
    bool is_unwritten;            /* the data file or a report could not be made or written */
    bool is_unread;   /* something of the session could not be read, and may be another time */
    bool is_empty;    /* no method was instrumented, and --allow-empty says that this is fine */
    bool stops_gates; /* programs ran that were not measured, and there is a gate */
};

/* Checks that the options' root and gates can be read and the outputs be written, which is all that
 * `collect` and `snapshot` need. Returns an exit status. */
int measurement_check(struct measurement *measurement);

/* Finds the profiler, checks that it may be loaded, and sets the run's id and config: all that
 * `env` needs. */
int measurement_configure(struct measurement *measurement);

/* Both. */
int measurement_prepare(struct measurement *measurement);

/* How a session is read, as the options say. */
struct collect_options measurement_collect_options(struct measurement *measurement);

/* Watches for signals (system/interruption.h) until measurement_finish or interruption_end. Reads
 * what the session holds now and says what went wrong in it. False: *status is the exit
 * status, and nothing is to be written. `out` lives in the arena. */
NODISCARD bool measurement_collect(struct collect_result *out, struct measurement *measurement,
                                   int *status);

/* Data file, reports, summary, thresholds and gates of what was collected. Returns an exit
 * status. */
int measurement_write(struct measurement *measurement, const struct facts *facts);

/* The last two. */
int measurement_finish(struct measurement *measurement);

void measurement_say_kept(const struct measurement *measurement);

/* If something could not be written, keeps the session, says so, and returns true. `session` then
 * has its new name. */
bool measurement_keep_session(struct measurement *measurement);

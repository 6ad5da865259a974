/* measurement_options.h - what is measured, and what is made of a session: the options that `run`,
 * `attach`, `env`, `collect` and `snapshot` share. A verb that lacks some of them leaves those
 * 0. */
#ifndef ILCOV_CLI_BASE_MEASUREMENT_OPTIONS_H
#define ILCOV_CLI_BASE_MEASUREMENT_OPTIONS_H

#include "cli/base/outcome_options.h"
#include "contract/mode.h"

/* What is passed to the library, and the session that passes it. */
struct measure_options {
    struct option_list include; /* patterns */
    bool include_tests;
    enum count_mode mode;
    const char *session_dir; /* NULL: session_create chooses */
    bool keep_session;
    bool control;  /* the library listens on a socket */
    bool per_test; /* hits are told apart by test */
};

/* What is excluded besides [ExcludeFromCodeCoverage] and comments. */
struct excluded_options {
    struct option_list attributes;
    bool auto_properties;
};

struct measurement_options {
    struct outcome_options outcome;
    struct measure_options measure;
    struct excluded_options exclusions;
    const char *solution; /* whose projects count although nothing loaded them; or NULL */
    bool partial;         /* the run executes only some of the tests */
    bool allow_partial;   /* test hosts that did not report are no error */
    bool allow_empty;
};

extern const struct option_row include_rows[];      /* --include; of struct measure_options */
extern const struct option_row measure_rows[];      /* --include-tests, --mode; the same struct */
extern const struct option_row session_dir_rows[];  /* --session-dir; the same struct */
extern const struct option_row keep_session_rows[]; /* --keep-session; the same struct */
extern const struct option_row control_rows[];      /* --control; the same struct */
extern const struct option_row per_test_rows[];     /* --per-test; the same struct */
extern const struct option_row exclusion_rows[];    /* of struct excluded_options */
extern const struct option_row partial_rows[];      /* --partial, --allow-partial; of struct
                                                       measurement_options */
extern const struct option_row solution_rows[];     /* --solution; the same struct */
extern const struct option_row allow_empty_rows[];  /* --allow-empty; the same struct */

/* As outcome_options_finish; `default_format` is used when no format was asked for, unless it is
 * NULL. */
NODISCARD bool measurement_options_finish(struct measurement_options *options,
                                          const char *default_format,
                                          const struct option_taking *taking, struct err *err);

#endif

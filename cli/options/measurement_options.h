/* measurement_options.h - what is measured, and what is made of a session: the options that `run`,
 * `attach`, `env`, `collect` and `snapshot` share. A verb that lacks some of them leaves those
 * 0. */
#pragma once

#include "cli/options/publish_options.h"
#include "contract/mode.h"

/* What is passed to the library, and the session that passes it. */
struct measure_options {
    struct option_list include; /* patterns */
    bool include_tests;
    enum count_mode mode;
    const char *session_dir; /* NULL: session_create chooses */
    bool keep_session;
    bool control;  /* the library listens on a socket */
    bool per_test; /* hits are attributed to tests */
};

/* What is excluded besides [ExcludeFromCodeCoverage] and comments. */
struct excluded_options {
    struct option_list attributes;
    bool auto_properties;
};

struct measurement_options {
    struct publish_options publish;
    struct measure_options measure;
    struct excluded_options exclusions;
    const char *solution; /* whose projects count although nothing loaded them; or NULL */
    bool partial;         /* the run executes only some of the tests */
    bool allow_partial;   /* test hosts that did not report are no error */
    bool allow_empty;
};

/* All of struct measurement_options. */
extern const struct option_row
    measure_rows[]; /* --include, --include-tests, --mode, --session-dir */
extern const struct help_override measure_overrides[]; /* of exclude_rows, beside --include */
extern const struct option_row library_rows[];         /* --per-test, --control */
extern const struct option_row keep_session_rows[];    /* --keep-session */
extern const struct option_row data_rows[];            /* --data */
extern const struct option_row exclusion_rows[];       /* --exclude-attribute, -auto-properties */
extern const struct option_row whole_rows[];           /* --solution, --partial, --allow-partial */
extern const struct option_row allow_empty_rows[];     /* --allow-empty */

/* How long a verb waits for what a process has to do, in milliseconds: of a verb that has this
 * option and no other. */
struct timeout_options {
    uint32_t ms;
};
extern const struct option_group timeout_groups[];
const char *timeout_default(void);

/* The `finish` of a verb whose options begin with these. The default format is cobertura. */
NODISCARD bool measurement_options_finish(void *parsed, const struct operands *operands,
                                          const struct option_context *context, struct err *err);

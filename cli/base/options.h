/* options.h - the options of all verbs: one table, of which each verb takes its part; --help is
 * made from it. Owner:  texts point into argv; lists live in the arena. */
#ifndef ILCOV_CLI_BASE_OPTIONS_H
#define ILCOV_CLI_BASE_OPTIONS_H

#include "contract/mode.h"
#include "reporters/diff/diff_writer.h"
#include "reporters/report/reporter.h"

#define DATA_FILE "coverage.ilcov"

/* Which verbs an option belongs to. --help and --version belong to all. */
enum option_verbs {
    FOR_RUN = 1,
    FOR_REPORT = 2,
    FOR_INSPECT = 4,
    FOR_DOCTOR = 8,
    FOR_MERGE = 16,
    FOR_DIFF = 32,
    FOR_ATTACH = 64,
    FOR_DETACH = 128,
    FOR_SNAPSHOT = 256,
    FOR_STACKS = 512,
    FOR_ENV = 1024,
    FOR_COLLECT = 2048,
    FOR_ALL = 4095,
};

/* How `env` writes variables. */
enum env_shell {
    SHELL_SH,
    SHELL_PWSH,
    SHELL_RUNSETTINGS,
    SHELL_DOCKER,
    SHELL_GITHUB,
    SHELL_GITLAB,
};

struct usage {
    enum option_verbs verb;
    const char *name;
    const char *operands; /* "[OPTION...] [DATA]" */
    const char *summary;  /* lines of help above the options */
    const char *notes;    /* and below them, or NULL */
    int operand_max; /* how many operands it takes; for `run` the first ends the options, and all
                        follow it */
};

struct option_list {
    struct str *items;
    uint32_t count;
};

struct option_format {
    const struct reporter *reporter;
    const char *path; /* as for reporter_write */
};

struct option_diff_format {
    const struct diff_writer *writer;
    const char *path; /* as for diff_writer_write */
};

struct options {
    const char *data;
    struct option_format *formats;
    uint32_t format_count;
    const char *root; /* NULL: find it */
    struct option_list include, exclude, exclude_files, exclude_attributes;
    bool exclude_auto_properties;
    bool include_tests, allow_empty, deterministic, keep_session, quiet, verbose;
    enum count_mode mode;
    bool has_fail_under;
    uint32_t fail_under_x100; /* 100 * percent */
    const char *session_dir;  /* NULL: session_create chooses */
    bool partial;             /* the run executes only some of the tests */
    bool control;             /* the library listens on a socket */
    uint32_t hang_ms;         /* --hang-timeout; 0: no watching */
    bool hang_kill;
    uint32_t timeout_ms; /* of what is asked of another process */
    bool reset;          /* of a snapshot */
    bool remove;         /* the session, once it is collected */
    enum env_shell shell;
    bool squash, strict;
    const char *carry;  /* a data file, or NULL */
    const char *output; /* of merge, or NULL */
    struct option_list gates;
    const char *base, *patch; /* or NULL */
    struct option_diff_format *diff_formats;
    uint32_t diff_format_count;
    int64_t timestamp; /* of reports, Unix seconds: now, or what --deterministic makes of it */
    char **operands;   /* ends with NULL */
    int operand_count;
};

/* False when there is nothing more to do: help was printed, or what is wrong was said; *status is
 * the exit status. */
NODISCARD bool options_parse(struct options *out, const struct usage *usage, int argc, char **argv,
                             struct arena *arena, int *status);

/* Says what is wrong with the usage and where help is; gives EXIT_USAGE. */
int options_refuse(const struct usage *usage, const char *format, ...) PRINTF_LIKE(2, 3);

/* On standard output, as --version does. */
void options_print_version(void);

/* "80", "79.5", "79.95", each with or without '%', as 100 * percent; at most 100. */
NODISCARD bool options_percent(uint32_t *x100, const char *text);

/* Of `names` (ends with NULL) the one that was probably meant by `word`, or NULL. */
const char *options_nearest(const char *word, const char *const *names);

#endif

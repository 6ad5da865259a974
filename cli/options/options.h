/* options.h - a verb's command line: options by the verb's table (verb.h), then operands. A wrong
 * option is answered with the nearest one of the verb, or with the verbs that have it. Options that
 * are not typed may be given by the environment or a settings file (cli/options).
 *
 * A flag may be typed with a value, "--quiet=no", which undoes what a lower place says. Of several
 * values of an option that does not repeat, the last counts. */
#pragma once

#include "cli/options/verb.h"

enum option_origin {
    ORIGIN_DEFAULT,
    ORIGIN_FILE,
    ORIGIN_ENVIRONMENT,
    ORIGIN_TYPED,
};

/* What an option is given, and where. */
struct option_given {
    enum option_origin origin;
    const char *from;    /* "ilcov.json:3", "ILCOV_MODE"; NULL for what is typed */
    bool is_own;         /* said for this verb, not for all that have the option */
    const char **values; /* as they are typed; of a flag "yes" or "no" */
    size_t count;        /* 0: an empty list. The last counts, unless the option repeats */
};

struct command_line;

/* Fills `given`, which has an item for each verb_option of the line's verb, with what its settings
 * say, typed or not. `*file` gets the path of the settings file, or NULL. `config` is the file to
 * read; "": none; NULL: the nearest. */
typedef bool option_settings(struct option_given *given, const char **file,
                             const struct command_line *line, const char *config,
                             struct arena *arena, struct err *err);

struct command_line {
    const struct verb *verb;
    const struct verb *const *verbs; /* all, ends with NULL */
    int argc;
    char **argv;               /* [0] is the verb's name */
    option_settings *settings; /* NULL: what is not typed has its default */
    const char *config;        /* for `settings`, unless --config or --no-config is typed */
};

/* What became of a line. */
struct option_values {
    void *options;              /* the verb's struct, in the arena */
    struct option_given *given; /* for each verb_option */
    const char *file;           /* the settings file that was read, or NULL */
    struct operands operands;
};

/* Fills the verb's struct, without its `finish`. False if there is nothing more to do: help or an
 * error was printed, and *status is the exit status. */
NODISCARD bool options_resolve(struct option_values *out, const struct command_line *line,
                               struct arena *arena, int *status);

/* The same, and `finish`. */
NODISCARD bool options_parse(void **options, struct operands *operands,
                             const struct command_line *line, struct arena *arena, int *status);

/* For `finish`: was the option typed? A setting that has no effect is for other runs; an option is
 * a mistake. */
bool option_is_typed(const struct option_context *context, const char *name);

/* What the last word of a line is that is still being typed. */
struct options_last {
    const struct option_row *row; /* the option whose value it is, or ends with; NULL: none */
    size_t at;                    /* where in the word that value begins */
    int operand;                  /* else if it is an operand: the index of the first; else 0 */
};

/* By the rules of options_parse: abbreviations, letters together, "--". argv[0] is the verb's name.
 * A lone "-" is the beginning of an option. The order of the words is changed. */
void options_read_last(struct options_last *out, const struct verb *verb, int argc, char **argv);

/* Says what is wrong with the usage and where help is; returns EXIT_USAGE. */
int options_refuse(const struct verb *verb, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same if it is the usage that is wrong, else as say_error. */
int options_fail(const struct verb *verb, const struct err *err);

/* On standard output, as --version does. */
void options_print_version(void);

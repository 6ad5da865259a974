/* verb.h - a verb of ilcov as a table: its name, the operands and options that it takes, and their
 * descriptions. Parsing (options.h), `--help` (help.h), completion (complete.h) and
 * OPTIONS in the manual are all made from this table.
 *
 * Each verb has a struct of its own for its options. Rows that several verbs share are a group,
 * which fills a smaller struct inside that one:
 *
 *   struct report_verb { struct publish_options outcome; };
 *   {gate_rows, offsetof(struct ..., outcome.gates), says}
 *
 * Texts:  `help` is a phrase without capital or full stop; it is wrapped automatically. In it, "{}"
 *         stands for the words that the value may be. `more` holds further sentences for the
 *         manual.
 * Owner:  tables are static; what is parsed points into argv or lives in the arena. */
#pragma once

#include "base/text.h"

/* What a shell offers where a value or an operand is expected. */
enum completion {
    COMPLETE_NOTHING,
    COMPLETE_WORD,      /* one of the words */
    COMPLETE_WORD_FILE, /* WORD, or WORD=FILE */
    COMPLETE_FILE,
    COMPLETE_FOLDER,
    COMPLETE_PROCESS, /* the ID of a .NET process */
    COMPLETE_SESSION,
    COMPLETE_PROCESS_OR_SESSION,
    COMPLETE_COMMAND, /* a command with its arguments */
};

/* One of the words that a value may be. */
struct option_word {
    const char *name;
    const char *summary; /* a line of help; or NULL */
    const char *file;    /* the file if none is named; or NULL */
};

struct option_given;
struct verb;

/* For `take`: which option it is, and how many values it may get. For `finish`: what was given
 * (option_is_typed). */
struct option_context {
    const char *name;
    struct arena *arena;
    size_t room; /* an option can't occur more often than there are arguments */
    const struct verb *verb;
    const struct option_given *given;
};

/* Writes a value to its field; ERR_USAGE says what was expected. */
typedef bool option_taker(void *field, const char *value, const struct option_context *context,
                          struct err *err);

struct option_row {
    char letter; /* 0: none */
    const char *name;
    const char *argument; /* "FILE"; NULL: the option takes no value */
    option_taker *take;
    size_t field; /* its offset */
    const char *help;
    const char *more; /* or NULL */
    enum completion completes;
    bool (*word)(struct option_word *out, size_t index); /* false after the last; or NULL */
    const char *(*otherwise)(void); /* what `take` gets if nothing is given; or NULL */
    bool takes_no; /* a flag: `take` gets "no", too, which otherwise is as if it were not given */
    bool advanced; /* few need it: only --help-all, the manual and completion have it */

    /* As a setting (cli/options): a key of ilcov.json and a variable, unless `cli_only`. A flag is
     * true or false there, everything else a string. */
    bool cli_only;    /* it makes sense on a command line only */
    bool repeats;     /* a setting may be an array: each value as if the option were repeated */
    bool is_number;   /* a setting may also be a number */
    bool may_be_path; /* what looks like a path is one only if there is such a file */
    bool writes;      /* its path is one that ilcov writes to */
    const char
        *default_text; /* the value without the option, in words; NULL: none, or false for a flag */
};

/* Texts of a verb that replace those of the group; NULL `help`: only `more`. Ends with a NULL
 * name. */
struct help_override {
    const char *name;
    const char *help, *more;
};

struct option_group {
    const struct option_row *rows; /* ends with a NULL name */
    size_t at;                     /* the offset of the struct that they fill */
    const struct help_override *overrides;
};

/* What follows the options. */
struct operands {
    char **items; /* ends with NULL */
    int count;
};

struct verb {
    const char *name;
    const char *brief;         /* a line of `ilcov --help` */
    const char *operands;      /* "[OPTION...] [DATA]" */
    const char *summary;       /* the paragraph above the options */
    const char *exits;         /* what exit statuses mean, below them; or NULL */
    const char *examples;      /* command lines; or NULL */
    const char *manual;        /* paragraphs below the options in the manual; or NULL */
    const char *lists;         /* the option whose words are described in --help, or NULL */
    int operand_max;           /* how many operands it takes */
    const char *lacks;         /* the error if there is none: "no PID to ..."; or NULL */
    bool ends_at_operand;      /* the first operand ends the options */
    enum completion completes; /* the operands */
    bool (*word)(struct option_word *out, size_t index); /* for COMPLETE_WORD */
    const struct option_group *groups;                   /* ends with NULL rows; or NULL */
    size_t options_size; /* of the struct that they fill; at least 1 */

    /* Defaults, and rules over several options; or NULL. ERR_USAGE says which rule is broken. */
    bool (*finish)(void *options, const struct operands *operands,
                   const struct option_context *context, struct err *err);
    /* Returns the exit status. What it creates lives in the arena. */
    int (*act)(const void *options, const struct operands *operands, struct arena *arena);
};

/* The one of this name, or NULL. `verbs` ends with NULL. */
const struct verb *verb_named(const struct verb *const *verbs, const char *name);

/* An option as one verb has it. */
struct verb_option {
    const struct option_row *row;
    size_t field; /* offset in the verb's struct */
    const char *help, *more;
};

/* The verb's options in the order of its help. Last are --config and --no-config if the verb has
 * settings, then --help, --help-all and --version, which every verb has. False after that. */
bool verb_option(struct verb_option *out, const struct verb *verb, size_t index);

/* The option of this name; or with this letter, if `name` is NULL. */
bool verb_find_option(struct verb_option *out, const struct verb *verb, const char *name,
                      char letter);

/* The rows that every verb has. */
extern const struct option_row option_help, option_help_all, option_version;

/* The rows that a verb with settings has. */
extern const struct option_row option_config, option_no_config;

/* Has the verb options that only --help-all shows? */
bool verb_has_advanced(const struct verb *verb);

/* Has the verb an option that is a setting? */
bool verb_has_settings(const struct verb *verb);

/* Is the option a setting? */
bool option_is_setting(const struct option_row *row);

/* `help` with "{}" replaced. */
NODISCARD bool verb_option_help(struct str *out, const struct verb_option *option,
                                struct arena *arena, struct err *err);

/* "count, hit, exact" */
void option_add_words(struct text *text, bool (*word)(struct option_word *, size_t));

/* options.h - a verb's command line: options by the verb's table (verb.h), then operands. A wrong
 * option is answered with the nearest one of the verb, or with the verbs that have it. */
#ifndef ILCOV_CLI_BASE_OPTIONS_H
#define ILCOV_CLI_BASE_OPTIONS_H

#include "cli/base/verb.h"

struct command_line {
    const struct verb *verb;
    const struct verb *const *verbs; /* all, ends with NULL */
    int argc;
    char **argv; /* [0] is the verb's name */
};

/* Fills the verb's struct, which is in the arena. False if there is nothing more to do: help or an
 * error was printed, and *status is the exit status. */
NODISCARD bool options_parse(void **options, struct operands *operands,
                             const struct command_line *line, struct arena *arena, int *status);

/* Says what is wrong with the usage and where help is; returns EXIT_USAGE. */
int options_refuse(const struct verb *verb, const char *format, ...) PRINTF_LIKE(2, 3);

/* On standard output, as --version does. */
void options_print_version(void);

#endif

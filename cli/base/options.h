/* options.h - a verb's command line: options by the verb's table (verb.h), then operands. What is
 * wrong is answered with what is right: the nearest option of the verb, or the verbs that have
 * it. */
#ifndef ILCOV_CLI_BASE_OPTIONS_H
#define ILCOV_CLI_BASE_OPTIONS_H

#include "cli/base/verb.h"

struct command_line {
    const struct verb *verb;
    const struct verb *const *verbs; /* all, ends with NULL */
    int argc;
    char **argv; /* [0] is the verb's name */
};

/* Fills the verb's struct, which is in the arena. False when there is nothing more to do: help was
 * printed, or what is wrong was said; *status is the exit status. */
NODISCARD bool options_parse(void **options, struct operands *operands,
                             const struct command_line *line, struct arena *arena, int *status);

/* Says what is wrong with the usage and where help is; gives EXIT_USAGE. */
int options_refuse(const struct verb *verb, const char *format, ...) PRINTF_LIKE(2, 3);

/* On standard output, as --version does. */
void options_print_version(void);

#endif

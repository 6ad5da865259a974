/* help.h - `ilcov VERB --help`, made from the verb's table and wrapped for the terminal. */
#ifndef ILCOV_CLI_BASE_HELP_H
#define ILCOV_CLI_BASE_HELP_H

#include "cli/base/verb.h"

/* On standard output: as wide as that is if it is a terminal, within limits; else HELP_COLUMNS. */
enum {
    HELP_COLUMNS = 80
};
NODISCARD bool help_print(const struct verb *verb, struct arena *arena, struct err *err);

/* The help as `columns` wide text. No line is longer, but for a word that is. */
NODISCARD bool help_text(struct str *out, const struct verb *verb, size_t columns,
                         struct arena *arena, struct err *err);

/* Adds `words` and a line end, broken at spaces so that no line is wider than `columns`. `column`
 * is where the first line stands already; the further ones begin after `indent` spaces. */
void help_wrap(struct text *text, struct str words, size_t column, size_t indent, size_t columns);

#endif

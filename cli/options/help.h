/* help.h - `ilcov VERB --help` and `--help-all`, made from the verb's table and wrapped for the
 * terminal. */
#pragma once

#include "cli/options/verb.h"

enum help_extent {
    HELP_BASIC, /* without the advanced options */
    HELP_ALL,
};

/* Prints to standard output, as wide as the terminal (within limits), or HELP_COLUMNS if it is not
 * a terminal. */
enum {
    HELP_COLUMNS = 80
};
NODISCARD bool help_print(const struct verb *verb, enum help_extent extent, struct arena *arena,
                          struct err *err);

/* The help as text, `columns` wide. Only a longer word makes a longer line. */
NODISCARD bool help_text(struct str *out, const struct verb *verb, enum help_extent extent,
                         size_t columns, struct arena *arena, struct err *err);

/* Adds `words` and a line end, broken at spaces so that no line is wider than `columns`. The first
 * line is already at `column`; the others begin with `indent` spaces. */
void help_wrap(struct text *text, struct str words, size_t column, size_t indent, size_t columns);

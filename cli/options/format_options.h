/* format_options.h - which reports or differences are written, and where. */
#pragma once

#include <stdio.h>

#include "cli/options/verb.h"
#include "reporters/format.h"

struct option_format {
    const struct format *format;
    const char *path; /* as for format_write */
};

struct format_options {
    struct option_format *items;
    uint32_t count;
    bool is_none;   /* -f none */
    uint64_t split; /* the most bytes of a file of Cobertura; 0: any */
};

extern const struct option_row format_rows[]; /* --format, --split */

/* Adds it if there is none, and none is not what was asked for. */
NODISCARD bool format_options_default(struct format_options *formats, const char *name,
                                      const struct option_context *context, struct err *err);

/* Adds "NAME" or "NAME=FILE" of a list of formats (format_find); `word` gives their names. */
NODISCARD bool format_options_add_of(struct format_options *formats, const struct format *known,
                                     bool (*word)(struct option_word *, size_t), const char *value,
                                     const struct option_context *context, struct err *err);

/* A line for each format: its name, the file that it writes by default, what it is. */
void format_options_list(FILE *out);

/* Does one of them show what changed in the code? */
bool format_options_show_changes(const struct format_options *formats);

/* May ilcov write to a name that nobody gave? A link of that name may be a stranger's doing, and
 * lead anywhere; a pipe would wait for ever. `option` says how to name another. */
NODISCARD bool format_options_check_usual(const char *path, const char *option, struct err *err);

/* Fails if two reports would be written to one file, or if `none` is one of several. */
NODISCARD bool format_options_check(const struct format_options *formats, struct err *err);

/* change_columns.h - the lines of a section in columns of plain text (number, hits, source), in
 * HTML: as they were beside as they are.
 * Errors: ERR_MEMORY. */
#ifndef ILCOV_REPORTERS_DIFF_CHANGE_COLUMNS_H
#define ILCOV_REPORTERS_DIFF_CHANGE_COLUMNS_H

#include "reporters/diff/change_rows.h"

struct change_section {
    const struct diff_section *of; /* no method: lines that are in none */
    const struct change_input *input;
    uint32_t number; /* for its id: "s12" */
    uint32_t *parts; /* per line of the file: the part of its pages that has its id; 0: none yet */
    uint32_t part;   /* of this section */
};

/* The elements that mark what a line is; blocks in style.css. */
enum change_tag {
    TAG_NONE,
    TAG_MISSED,  /* lost, or new and missed, or missed in the patch */
    TAG_PARTIAL, /* it ran, but an outcome was lost, or is new and missed */
    TAG_GAINED,
    TAG_ADDED,
    TAG_REMOVED,
    TAG_FILLER /* what only the other side has: blank beside it, gone where it stands below */
};

/* A column whose lines of one tag share an element. */
struct change_column {
    struct text text;
    enum change_tag open;
};

struct change_columns {
    const struct change_section *section;
    struct change_rows rows;
    bool shows_was, shows_now, shows_before;
    struct change_column was_numbers, was_hits, was_source;
    struct change_column now_numbers, before, now_hits, now_source;
};

/* Of `rows`, for the sides that are to be shown. */
void change_columns_fill(struct change_columns *p, struct arena *arena);

/* Both sides; once. */
NODISCARD bool change_columns_put(struct text *out, struct change_columns *p, struct err *err);

#endif

/* change_columns.h - the lines of a section in columns of plain text (number, hits, source), in
 * HTML: as they were beside as they are.
 * Errors: ERR_MEMORY. */
#pragma once

#include "reporters/diff/change_rows.h"
#include "reporters/html/page.h"

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

enum change_side {
    WAS_NUMBERS,
    WAS_HITS,
    WAS_SOURCE,
    NOW_NUMBERS,
    NOW_BEFORE, /* hits of then, where the old side is not shown */
    NOW_HITS,
    NOW_SOURCE,
    CHANGE_COLUMNS
};

struct change_columns {
    const struct change_section *section;
    struct change_rows rows;
    bool shows_was, shows_now, shows_before;
    struct page_column all[CHANGE_COLUMNS];
};

/* Of `rows`, for the sides that are to be shown. */
void change_columns_fill(struct change_columns *p, struct arena *arena);

/* Both sides; once. */
NODISCARD bool change_columns_put(struct text *out, struct change_columns *p, struct err *err);

/* change_rows.h - the lines of a section (struct diff_section) that a page shows: those of the
 * method, with what stands around and between them, as it was beside as it is. Rows far from
 * anything that changed are left out.
 * Owner:  everything lives in the arena.
 * Errors: ERR_MEMORY. */
#pragma once

#include "coverage/diff/diff.h"
#include "reporters/sources.h"

/* A line of one side. */
struct change_line {
    uint32_t number;
    struct str text;                 /* text is NULL: not known */
    const struct diff_line *now;     /* as it is; NULL: no code */
    const struct diff_note *note;    /* what else is known of it; or NULL */
    const struct diff_old_line *was; /* as it was; NULL: no code */
};

struct change_row {
    const struct change_line *was, *now; /* NULL: the other side alone has it */
    bool is_same;                        /* the same text on both */
    bool skips;                          /* rows were left out before this one */
};

struct change_rows {
    struct change_row *rows;
    uint32_t count;
    uint32_t cut;          /* rows that were too many */
    bool has_was, has_now; /* is there text of the side? */
    size_t source_len;     /* bytes of text in the rows, with line ends */
};

/* A section of a page, and what its lines come from. */
struct change_section {
    const struct diff_section *of; /* no method: lines that are in none */
    const struct diff *diff;
    const struct diff_file *file; /* of HEAD; NULL: it was removed */
    const struct sources *now, *was;
    uint32_t number; /* for its id: "s12" */
    /* Per line of the file: the part of its pages that has its id; 0: none yet; NO_INDEX: that of
     * this section. */
    uint32_t *parts;
};

NODISCARD bool change_rows_make(struct change_rows *out, const struct change_section *section,
                                struct arena *arena, struct err *err);

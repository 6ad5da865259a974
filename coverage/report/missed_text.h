/* missed_text.h - on a line that ran, the text of statements that did not: `return 1;` of
 * `if (a) return 1;`, or a lambda that nobody called. Each piece of text belongs to the innermost
 * statement around it: a lambda that ran is not missed text of the call that did not.
 * The variable of a loop that never had an item is left out: the condition of the line says that.
 * Units:  columns as in struct fact_span.
 * Owner:  pieces live in the arena of missed_text_make. */
#pragma once

#include "coverage/report/report.h"

/* A statement's text on a line where it starts or ends. */
struct line_piece {
    uint32_t start, end;    /* end: PIECE_OPEN if the statement goes on below */
    bool is_from_above : 1; /* the statement starts above; then start is 1 */
    bool ran : 1;           /* it, or a copy of it */
    bool is_left_out : 1;   /* neither ran nor missed: excluded */
};

enum {
    PIECE_OPEN = 1 << 16
};

/* False if the columns are not known. */
bool line_piece_make(struct line_piece *out, const struct fact_statement *statement, uint32_t line);

/* Fills in what was missed of a line that ran, from all its pieces, which it sorts; its conditions
 * are known. */
NODISCARD bool missed_text_make(struct report_line *line, struct line_piece *pieces, size_t count,
                                struct arena *arena, struct err *err);

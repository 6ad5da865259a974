/* line_change.h - what became of one line and its outcomes: their states (diff.h). */
#pragma once

#include "coverage/diff/diff.h"
#include "coverage/diff/diff_views.h"
#include "coverage/diff/old_lines.h"

/* The same line in all views of HEAD; NULL where there is no such view. */
struct line_views {
    const struct report_line *of[HEAD_VIEW_COUNT];
};

/* `outcomes`, by state: none yet; NULL if the line has none, or nobody asks for them. */
void line_change_make(struct diff_line *out, const struct line_views *v, uint32_t *outcomes);

/* What it is if BASE's line is known by its number alone. */
void line_change_by_number(struct diff_line *line, const struct old_line *old,
                           const struct line_views *v, uint32_t *outcomes);

void line_change_tally(struct diff_totals *totals, const struct diff_line *line);

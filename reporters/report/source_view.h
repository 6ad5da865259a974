/* source_view.h - a source file on a terminal: numbers, hits and text, and below each line what
 * never happened on it:
 *
 *   src/Shop.Core/Order.cs: 34 of 40 lines, 9 of 12 branches covered
 *
 *   12     3    public int Total(bool vip)
 *   13     3 ~      if (vip && rush)
 *                              ^^^^ 1 of 2 outcomes never happened
 *   14     0            return 1;
 *   15     3 ~      if (late) return 2;
 *                       ^^^^ was never true
 *                             ^^^^^^^^^ did not run
 *
 * Beside the hits stand "~" for a line that ran without all statements and outcomes on it, "-" for
 * code of an assembly that was never loaded, "x" for excluded code. On a terminal, text that is too
 * wide continues on further rows; elsewhere it stands on one line, whatever its length. */
#pragma once

#include "coverage/report/source_lines.h"
#include "reporters/screen.h"
#include "reporters/sources.h"

struct source_view {
    const struct screen *screen;
    const struct report *report;
    const struct sources *sources;
};

/* The whole file, or the ranges with `context` lines around each if there are any. They ascend and
 * may overlap. `*put`, which may be NULL, is increased by the lines that were written. */
NODISCARD bool source_view_put(const struct source_view *view, const struct report_file *file,
                               const struct line_range *ranges, uint32_t range_count,
                               uint32_t context, uint32_t *put, struct err *err);

/* The last line of a file: of its text or, if that is not known, with code. */
uint32_t source_view_last_line(const struct source_view *view, const struct report_file *file);

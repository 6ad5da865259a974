/* source_lines.h - one source file as reports show it: what each line is, runs of lines that did
 * not run, and the places in lines that are marked.
 * Units:  lines and columns as in struct fact_span.
 * Owner:  everything lives in the arena. */
#pragma once

#include "coverage/report/report_files.h"

enum run_state {
    LINES_MISSED,
    LINES_PARTIAL, /* one that ran, without all of its statements and outcomes */
    LINES_EXCLUDED
};

/* Lines that look alike and follow each other, but for lines without code. */
struct line_run {
    enum run_state state;
    uint32_t first, last;
    uint32_t line_count;         /* with code */
    const struct reason *reason; /* LINES_EXCLUDED */
};

/* A part of a line that did not do all that it could. */
struct line_mark {
    uint32_t line;
    uint16_t start_column, end_column;        /* 0: to the end of the line */
    const struct report_condition *condition; /* NULL: it did not run */
};

/* Lines that did not run, with nothing but lines without code between them, for one reason. */
struct why_run {
    uint32_t first, last;
    const struct report_why *why;
};

struct source_lines {
    const struct report_line **lines; /* ascending */
    uint32_t count;
    struct line_run *runs; /* ascending, apart */
    uint32_t run_count;
    struct why_run *whys; /* ascending, apart; those that are known */
    uint32_t why_count;
    struct line_mark *marks; /* ascending, apart */
    uint32_t mark_count;
};

NODISCARD bool source_lines_make(struct source_lines *out, const struct report *report,
                                 const struct report_file *file, struct arena *arena,
                                 struct err *err);

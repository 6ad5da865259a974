/* progress_line.h - a line of a terminal that says how far long work has come:
 *
 *   ilcov: writing files: 1,204 of 2,000
 *
 * It appears when a verb has worked for a second, is rewritten in place, and is erased before
 * anything else is printed. It is written to nothing but a terminal, and not to one that cannot
 * rewrite a line (TERM). */
#pragma once

#include <stdio.h>

#include "base/progress.h"

enum {
    PROGRESS_AFTER_MS = 1000,
    PROGRESS_EVERY_MS = 250
};

struct progress_line {
    struct progress_hook progress; /* what work gets; points here */
    FILE *file;
    size_t columns;       /* 0: not a terminal, and nothing is written */
    int64_t (*now)(void); /* in ms (system/clock.h) */
    int64_t next;         /* when it may be written next */
    size_t width;         /* of what stands there */
};

/* For standard error. Must not be moved or copied while it is open. A quiet one writes nothing. */
void progress_line_open(struct progress_line *out, bool quiet);
/* For a test: any stream, width and clock. */
void progress_line_open_on(struct progress_line *out, FILE *file, size_t columns,
                           int64_t (*now)(void));

/* Who wants to know: for the work. NULL for NULL. */
const struct progress_hook *progress_line_hook(const struct progress_line *line);

/* Erases it; it comes back with the next step. To be called before anything is printed. `line` may
 * be NULL. */
void progress_line_erase(struct progress_line *line);

/* progress_line.h - a line of a terminal that says how far long work has come:
 *
 *   ilcov: writing pages: 1,204 of 2,000
 *
 * It appears after a second, is rewritten in place, and is erased at the end, before anything else
 * is printed. Nothing of it is ever written to anything but a terminal. */
#ifndef ILCOV_CLI_BASE_PROGRESS_LINE_H
#define ILCOV_CLI_BASE_PROGRESS_LINE_H

#include <stdio.h>

#include "base/progress.h"

enum {
    PROGRESS_AFTER_MS = 1000,
    PROGRESS_EVERY_MS = 100
};

struct progress_line {
    struct progress_hook progress; /* what work gets; points here */
    FILE *file;
    size_t columns;       /* 0: not a terminal, and nothing is written */
    int64_t (*now)(void); /* in ms (system/clock.h) */
    int64_t next;         /* when it may be written next */
    size_t width;         /* of what stands there */
};

/* For standard error. Must not be moved or copied while it is open. */
void progress_line_open(struct progress_line *out);
/* For a test: any stream, width and clock. */
void progress_line_open_on(struct progress_line *out, FILE *file, size_t columns,
                           int64_t (*now)(void));

/* Erases it; it comes back with the next step. To be called before anything is printed. */
void progress_line_erase(struct progress_line *line);

#endif

/* old_lines.h - the lines of BASE by their numbers, where BASE is another tool's report and says no
 * more of its code. A patch says which number a line has now.
 * Owner:  everything lives in the arena; paths are the report's or the patch's, which outlive
 *         it. */
#pragma once

#include "base/list.h"
#include "coverage/diff/patch.h"
#include "coverage/report/report.h"

/* One line of BASE's report, under its number in HEAD. There are as many as a report has, so they
 * are small: of more than 65,535 outcomes none is known, as if it had none. */
struct old_line {
    uint64_t hits;
    uint32_t number;
    uint16_t outcome_count, covered_count;
};

struct old_lines {
    struct list files;               /* of classes, by path once they are sorted */
    const struct patch *patch;       /* or NULL */
    const struct patch_file **moved; /* its files, by old path */
    struct arena *arena;
};

/* `room`: for how many classes. */
NODISCARD bool old_lines_open(struct old_lines *out, const struct patch *patch, uint32_t room,
                              struct arena *arena, struct err *err);

/* Keeps the lines of a class that are still there. */
NODISCARD bool old_lines_keep(struct old_lines *old, const struct report_class *class,
                              struct err *err);

/* Once all are kept, and before any is looked for. */
void old_lines_sort(struct old_lines *old);

/* NULL if there was no line that has this path and number now. */
const struct old_line *old_lines_find(const struct old_lines *old, struct str path,
                                      uint32_t number);

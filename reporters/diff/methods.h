/* methods.h - the methods of a diff in the order in which a reviewer wants them.
 * Owner:  the order lives in the arena and points into the diff, which outlives it.
 * Errors: ERR_MEMORY, or the arena's limit. */
#pragma once

#include "coverage/diff/diff.h"

/* For a removed method, these are lines of BASE. */
struct method_lines {
    uint32_t covered, missed, not_run;
};

struct method_lines method_lines(const struct diff_method *method);

/* Does it have lines that are not covered, and is it new or edited, or did it lose their
 * coverage? */
bool method_wants_tests(const struct diff_method *method);

/* In that order. */
NODISCARD bool methods_sort(const struct diff_method **methods, uint32_t count, struct arena *arena,
                            struct err *err);

/* All methods of the diff. Those that need tests come first, and of these the added and edited
 * ones; then by number of lines, descending. */
NODISCARD bool methods_order(const struct diff_method ***out, const struct diff *diff,
                             struct arena *arena, struct err *err);

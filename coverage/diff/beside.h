/* beside.h - old lines beside new ones, by their text: the longest common subsequence.
 * Owner:  the rows live in the arena.
 * Errors: ERR_MEMORY. */
#ifndef ILCOV_COVERAGE_DIFF_BESIDE_H
#define ILCOV_COVERAGE_DIFF_BESIDE_H

#include "coverage/diff/diff.h"

/* Indexes of lines; NO_INDEX: there is none on this side. */
struct beside_row {
    uint32_t was, now;
    bool is_same; /* both have the same text */
};

struct beside {
    struct beside_row *rows;
    uint32_t count;
};

/* Hashes of each line's text. What was replaced stands beside what replaced it. */
NODISCARD bool beside_make(struct beside *out, const uint32_t *was, uint32_t was_count,
                           const uint32_t *now, uint32_t now_count, struct arena *arena,
                           struct err *err);

#endif

/* side_by_side.h - old lines beside new ones, by their text: the longest common subsequence.
 * Owner:  the rows live in the arena.
 * Errors: ERR_MEMORY. */
#pragma once

#include "coverage/diff/diff.h"

/* Indexes of lines; NO_INDEX: there is none on this side. */
struct side_by_side_row {
    uint32_t was, now;
    bool is_same; /* both have the same text */
};

struct side_by_side {
    struct side_by_side_row *rows;
    uint32_t count;
};

/* Hashes of each line's text. What was replaced stands beside what replaced it. */
NODISCARD bool side_by_side_make(struct side_by_side *out, const uint32_t *was, uint32_t was_count,
                                 const uint32_t *now, uint32_t now_count, struct arena *arena,
                                 struct err *err);

/* statements.h - the statements of a method: its visible sequence points, points of the same span
 * made one, those that are only a brace left out unless the method has nothing else.
 * Owner: the array lives in the arena. */
#ifndef ILCOV_COVERAGE_STATEMENTS_H
#define ILCOV_COVERAGE_STATEMENTS_H

#include "metadata/pdb.h"
#include "rewriter/flow.h"

struct statement {
    uint32_t point; /* index of its first sequence point */
    uint32_t first_block,
        block_count; /* places in statements.blocks: the blocks in which its points begin */
};

struct statements {
    struct statement *items; /* ascending il_offset of their first points */
    uint32_t count;
    uint32_t *blocks;
};

NODISCARD bool statements_find(struct statements *out, const struct flow *flow,
                               const struct seq_points *points, bool is_state_machine,
                               struct arena *arena, struct err *err);

#endif

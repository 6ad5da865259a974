/* statements.h - the statements of a method: its visible sequence points in code that can run;
 * points of the same span are one statement. Those that only begin or end a block (braces; `Sub`,
 * `Else`, `End If` of Visual Basic) are left out unless the method has nothing else.
 * Owner:  the array lives in the arena. */
#pragma once

#include "coverage/statements/statements_source.h"

struct statement {
    uint32_t point; /* index of its first sequence point */
    uint32_t first_block,
        block_count; /* places in statements.points, its points, and statements.blocks, in which
                        each of these begins */
    bool adds_up;    /* each run comes to one of these at most, and all count */
    uint32_t first_return, return_count; /* places in statements.returns */
};

struct statements {
    struct statement *items; /* ascending il_offset of their first points */
    uint32_t count;
    uint32_t *points, *blocks;
    /* Blocks in which a `return` or `break` happens as well (early_returns.h). */
    uint32_t *returns;
};

NODISCARD bool statements_find(struct statements *out, const struct statements_source *source,
                               struct arena *arena, struct err *err);

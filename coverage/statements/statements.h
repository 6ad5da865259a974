/* statements.h - the statements of a method: its visible sequence points in code that can run;
 * points of the same span are one statement. Those that only begin or end a block (braces; `Sub`,
 * `Else`, `End If` of Visual Basic) are left out unless the method has nothing else.
 * Owner:  the array lives in the arena. */
#ifndef ILCOV_COVERAGE_STATEMENTS_STATEMENTS_H
#define ILCOV_COVERAGE_STATEMENTS_STATEMENTS_H

#include "coverage/source/language.h"
#include "coverage/statements/reach.h"

/* The input in which statements are found. */
struct statements_source {
    const struct flow *flow;
    const struct reach *reach;
    const struct seq_points *points;
    enum language language;
    /* a MoveNext that the compiler made of an async method or iterator */
    bool is_state_machine;
    const struct pdb *pdb; /* of the module, for the text of functions (F#); NULL: it is not read */
};

/* Does the method await? It is such a MoveNext, or the runtime suspends it (runtime async). */
static inline bool statements_await(const struct statements_source *source)
{
    return source->is_state_machine || (source->flow->context.impl_flags & IMPL_ASYNC) != 0;
}

struct statement {
    uint32_t point; /* index of its first sequence point */
    uint32_t first_block,
        block_count; /* places in statements.blocks: the blocks in which its points begin */
    uint32_t first_return, return_count; /* places in statements.returns */
};

struct statements {
    struct statement *items; /* ascending il_offset of their first points */
    uint32_t count;
    uint32_t *blocks;
    /* Blocks in which a `return` without a value of its own happens as well: optimised code returns
     * at each end of the statement before it, `int r = a ? F() : G(); return r;`. */
    uint32_t *returns;
};

NODISCARD bool statements_find(struct statements *out, const struct statements_source *source,
                               struct arena *arena, struct err *err);

#endif

/* early_returns.h - the `return` that a `ret` without a point of its own belongs to. Optimised code
 * has no jump to a `ret`, but another `ret`: at each end of the statement before a `return`, as in
 * `int r = a ? F() : G(); return r;`, and of the arms before it, as in `if (a) F(); else G();
 * return;`. A `break` that leads to a `return` is such a `ret` as well. Nor has it a jump to
 * another jump: what is said of `ret` holds for `break`, `continue`, `goto`, and a `return` that
 * leaves a `try`, after such arms.
 *
 * Only the source tells which of two `return`s comes next: in `if (a) F(); else { G(); return; }
 * return;`, the compiler drops the second one. Without it, a `ret` at the end of a statement may
 * have been a jump to anywhere, and belongs to none.
 * Owner:  the list lives in the arena. */
#pragma once

#include "base/list.h"
#include "coverage/statements/spans.h"
#include "coverage/statements/statements_source.h"

/* The instruction, and the point of a `return` or another jump that happens where it runs. */
struct early_return {
    uint32_t instr, point;
};

/* Is there any code of which only the source tells what it belongs to? */
NODISCARD bool early_returns_ask_source(bool *out, const struct statements_source *source,
                                        struct arena *arena, struct err *err);

/* `spans`: of the source's points. */
NODISCARD bool early_returns_find(struct list *out, const struct statements_source *source,
                                  const struct spans *spans, struct arena *arena, struct err *err);

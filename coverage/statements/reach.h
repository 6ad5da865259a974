/* reach.h - how far control can get in each block of a method if some calls never return: the flow
 * graph, which knows nothing of attributes, continues after every call.
 * Units:  instruction indexes.
 * Owner:  the array lives in the arena. */
#pragma once

#include "coverage/statements/no_return.h"
#include "rewriter/flow.h"

struct reach {
    const struct flow *flow;
    uint32_t *end; /* per block: its first instruction that can't run; block.end if all can */
};

/* `calls` NULL: every call may return. */
NODISCARD bool reach_make(struct reach *out, const struct flow *flow, struct no_return *calls,
                          struct arena *arena, struct err *err);

bool reach_runs(const struct reach *reach, uint32_t instr);

/* anchor.h - the variable by which a method's probes find the shard of their thread: its address is
 * on the stack of the thread that runs the code.
 *
 * No body may name a local signature that its file lacks. A debugger that reads locals would ask
 * the runtime for it, and on Unix the runtime dies of that question
 * (docs/decisions/02-inline-probes.md). So a variable of the method serves, or one that another
 * local signature of the file has after the same locals.
 * Source: ECMA-335 II.23.2.6. */
#pragma once

#include "rewriter/plan.h"

enum anchor_kind {
    ANCHOR_NONE, /* the method has no variable */
    ANCHOR_ARGUMENT,
    ANCHOR_LOCAL,
};

struct anchor {
    enum anchor_kind kind;
    uint32_t variable;
    /* a local that keeps what was looked up at the entry; NO_INDEX: each probe looks it up */
    uint32_t base_local;
    uint32_t local_sig; /* token for the header of the body */
};

/* The local signatures of a module that have locals of use after those of another one. */
struct spare_locals {
    struct spare *list; /* ordered by the locals that come first */
    uint32_t count;
};

/* Without memory there are none. */
void spare_locals_find(struct spare_locals *out, const struct metadata *md, struct arena *arena);

/* Has the module one for methods that have no variable at all? */
bool spare_locals_serve_all(const struct spare_locals *spare);

/* `spare` may be NULL: then only the method's own variables serve. `arena` is for work. Without
 * memory the anchor is ANCHOR_NONE. */
void anchor_choose(struct anchor *out, const struct flow *flow, const struct plan *plan,
                   const struct spare_locals *spare, struct arena *arena);

/* source_edges.h - the edges of a method's flow graph as its source has them. An `await` cannot
 * stand in a handler, so the compiler moves the code of one that awaits behind its `try`, and asks
 * notes how control came there:
 *
 *     note = 0; try { S(); } catch { note = 1; }        if (note == 1) { await T(); }
 *     kept = null; try { S(); } catch (e) { kept = e; } await T(); if (kept != null) throw kept;
 *
 * Here an edge to such a question leads where its answer does, and one from the `try` of a
 * `finally` to where control goes on after that: only exceptions lead into the `finally`.
 *
 * Code that was written twice the compiler may keep once. If both ways out of a condition lead to
 * equal code that throws or returns, as in
 *
 *     if (a) { if (b) throw new E(); }     ldarg.0; brfalse L; ldarg.1; pop; newobj E; throw
 *     throw new E();                       L: newobj E; throw
 *
 * Release builds of C# drop the condition and one of the two: here, `b` is only popped, and runs of
 * the second statement count for the first.
 * Pure:   flow graph and sequence points in.
 * Units:  instructions are indexes of the flow graph's.
 * Owner:  arrays live in the arena. */
#pragma once

#include "base/list.h"
#include "coverage/branches/decisions.h"
#include "coverage/statements/statements_source.h"

struct source_edges {
    struct edge *edges;   /* like those of the flow graph */
    uint32_t *in_edges;   /* grouped by `to` */
    uint32_t *first_in;   /* per block, and one more: places in `in_edges` */
    bool *is_bypassed;    /* per block: it asks a note, or throws what was kept; nothing else */
    bool *begins_finally; /* per block: the handler that leads to such a `finally` */
    struct list merged;   /* uint32_t: where statements begin that may have been kept for others */
};

/* `begins`, per instruction: NO_INDEX where no statement begins. `outcomes`, per edge: is it an
 * outcome of a decision? */
NODISCARD bool source_edges_make(struct source_edges *out, const struct statements_source *source,
                                 const struct decisions *decisions, const uint32_t *begins,
                                 const bool *is_outcome, struct arena *arena, struct err *err);

/* May runs of the statement that begins at instruction `first` count for another one? */
bool source_edges_may_be_merged(const struct source_edges *source_edges, const struct flow *flow,
                                uint32_t first);

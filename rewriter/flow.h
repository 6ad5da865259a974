/* flow.h - the flow graph of a method: blocks, and the edges between them.
 * Control leaves a block only at its end, or by an exception. A block also ends after an
 * instruction that may throw, so that a statement that begins after it has a count of its own:
 * where the evaluation stack is next empty or, in optimised code, at once, because there the
 * compiler keeps variables on the stack from one statement to the next
 * (docs/decisions/03-plan-from-il.md).
 * Units:  first and end are instruction indexes; edges and blocks are named by their index.
 * Owner:  arrays live in the arena.
 * Both users, profiler and collector, get the same graph from the same bytes. */
#pragma once

#include "rewriter/stack.h"

struct block {
    uint32_t first, end;             /* instructions [first, end) */
    uint32_t depth;                  /* of the evaluation stack at its start */
    uint64_t not_null;               /* variables that are not null there (stack.h) */
    uint32_t first_edge, edge_count; /* edges that leave it; a condition on a constant has one */
    uint32_t first_in, in_count;     /* places in flow.in_edges */
    /* enum control_flow of the last instruction; FLOW_NEXT: it falls into the next block */
    uint8_t exit;
    bool reachable;
    /* of the method, a handler or a filter: not entered by an edge */
    bool is_entry;
    bool may_throw; /* an instruction of it may */
    /* the top of the stack at its end, before a jump, `ret` or `endfilter`, is a computed bool */
    bool ends_with_bool;
    bool ends_with_zero_or_one; /* ... is a constant 0 or 1, the last thing it does */
    /* the stloc or stfld that keeps a computed bool, the last thing it does but for a `br`, and for
     * clearing fields of an async method; else NO_INDEX */
    uint32_t bool_store;
    /* begins with the `ret` of a tail call above: nothing may come between them */
    bool after_tail_call;
};

struct edge {
    uint32_t from, to;
    bool taken;           /* by a branch, not by falling through */
    bool through_finally; /* a `leave` that runs a finally handler on its way */
};

struct flow {
    struct il il;
    struct il_body body;
    struct stack_context context;
    struct block *blocks; /* ascending first; they cover all instructions */
    uint32_t block_count;
    /* ascending from; a block's taken edges come before the one that falls through */
    struct edge *edges;
    uint32_t edge_count;
    uint32_t *in_edges; /* edge indexes, grouped by `to` */
    uint32_t *block_of; /* of each instruction: the block that holds it */
    bool *empty_before; /* of each instruction: the evaluation stack is empty there */
    /* has `tail.` or `jmp`, or calls itself right before `ret` (or anything, if the method is
     * always optimised): its frame must stay as it is */
    bool calls_tail;
};

/* `body` is what GetILFunctionBody returns, or what the image has at the method's RVA; `nothrow`
 * may be NULL. Returns VERDICT_OK or the reason for declining it. */
NODISCARD enum verdict flow_build(struct flow *out, struct view body, const struct metadata *md,
                                  const struct nothrow *nothrow, uint32_t method_rid,
                                  struct arena *arena);
/* The same for a flow that has its body and instructions, and nothing else. */
NODISCARD enum verdict flow_analyse(struct flow *flow, const struct metadata *md,
                                    const struct nothrow *nothrow, uint32_t method_rid,
                                    struct arena *arena);

/* The block that holds an instruction; of a place that is none, the last block. */
static inline uint32_t flow_block_of(const struct flow *flow, uint32_t instr_index)
{
    return instr_index < flow->il.count ? flow->block_of[instr_index] : flow->block_count - 1;
}

/* Does the block do nothing but go on to another? */
bool flow_only_jumps(const struct flow *flow, uint32_t block);
/* The same, with a value on the stack. */
bool flow_only_continues(const struct flow *flow, uint32_t block);

/* The stloc or stfld that stores the value on the stack, if the block does nothing else before it
 * continues but clear fields of an async method; otherwise NO_INDEX. */
uint32_t flow_only_keeps(const struct flow *flow, uint32_t block);

/* A block that only jumps, or clears such fields, may be cut off from the block before it, because
 * something there may throw. Returns the block before such a block, and any other block itself. */
uint32_t flow_before_cut(const struct flow *flow, uint32_t block);
/* Where the only edge out of a block leads, past such blocks. */
uint32_t flow_past_cut(const struct flow *flow, uint32_t block);

/* The block itself or, if it only jumps, where that leads. */
uint32_t flow_past_jumps(const struct flow *flow, uint32_t block);

/* Where an edge comes from, past blocks that only jump. */
uint32_t flow_source(const struct flow *flow, const struct edge *edge);

/* The edge of `block` that leads to the block beginning at `instr_index` by a branch. */
uint32_t flow_taken_edge(const struct flow *flow, uint32_t block, uint32_t instr_index);

/* The nth edge that leads to the block, ascending `from`. */
static inline const struct edge *flow_edge_in(const struct flow *flow, const struct block *block,
                                              uint32_t n)
{
    return &flow->edges[flow->in_edges[block->first_in + n]];
}

static inline uint32_t flow_last_instr(const struct flow *flow, uint32_t block)
{
    return flow->blocks[block].end - 1;
}

/* With runtime async, a method runs on after an await in the frame that it had, on another thread:
 * what it looked up at its entry does not hold any more. */
static inline bool flow_is_async(const struct flow *flow)
{
    return (flow->context.impl_flags & IMPL_ASYNC) != 0;
}

/* Does an edge lead back? */
bool flow_loops(const struct flow *flow);
/* Does the method call anything? */
bool flow_calls(const struct flow *flow);

static inline bool flow_is_critical(const struct flow *flow, uint32_t edge)
{
    const struct block *to = &flow->blocks[flow->edges[edge].to];
    return flow->blocks[flow->edges[edge].from].edge_count > 1 && to->in_count + to->is_entry > 1;
}

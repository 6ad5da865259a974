#include "profiler/owners/thread_flow.h"

#include <string.h>

void thread_flow_unwind(struct thread_flow *flow, uintptr_t at,
                        void (*idle)(void *context, struct owner *owner), void *context)
{
    while (flow->depth != 0 && flow->held[flow->depth - 1].below <= at) {
        struct owner *owner = flow->held[--flow->depth].owner;
        if (owner_let_go(owner) && atomic_load_explicit(&owner->is_over, memory_order_relaxed))
            idle(context, owner);
    }
}

void thread_flow_push(struct thread_flow *flow, struct owner *owner, uintptr_t at)
{
    if (flow->depth == FLOW_DEPTH_MAX)
        memmove(flow->held, flow->held + 1, --flow->depth * sizeof flow->held[0]);
    flow->held[flow->depth].owner = owner;
    flow->held[flow->depth++].below = at;
}

void thread_flow_return(struct thread_flow *flow)
{
    for (uint32_t i = flow->depth; i != 0 && flow->held[i - 1].owner == flow->current; i--)
        flow->held[i - 1].below = 0;
}

void thread_flow_end(struct thread_flow *flow)
{
    while (flow->depth != 0)
        (void)owner_let_go(flow->held[--flow->depth].owner);
    flow->current = NULL;
}

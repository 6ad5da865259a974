#include "profiler/owners/thread_flow.h"

#include <string.h>

void thread_flow_unwind(struct thread_flow *flow, uintptr_t at,
                        void (*idle)(void *context, struct owner *owner), void *context)
{
    while (flow->depth != 0 && flow->held[flow->depth - 1].below <= at) {
        flow->depth--;
        struct owner *owner = flow->held[flow->depth].owner;
        if (flow->held[flow->depth].is_held && owner_let_go(owner) &&
            atomic_load_explicit(&owner->is_over, memory_order_relaxed))
            idle(context, owner);
    }
}

static void push(struct thread_flow *flow, struct owner *owner, bool is_held, bool is_enclosed,
                 uintptr_t below)
{
    if (flow->depth == FLOW_DEPTH_MAX)
        memmove(flow->held, flow->held + 1, --flow->depth * sizeof flow->held[0]);
    flow->held[flow->depth].owner = owner;
    flow->held[flow->depth].is_held = is_held;
    flow->held[flow->depth].is_enclosed = is_enclosed;
    flow->held[flow->depth++].below = below;
}

void thread_flow_push(struct thread_flow *flow, struct owner *owner, uintptr_t at)
{
    push(flow, owner, true, false, at);
}

void thread_flow_enter(struct thread_flow *flow, struct owner *owner, bool is_held)
{
    push(flow, owner, is_held, true, UINTPTR_MAX);
}

struct owner *thread_flow_return(struct thread_flow *flow)
{
    uint32_t at = flow->depth;
    while (at != 0 && !flow->held[at - 1].is_enclosed)
        at--;
    if (at == 0)
        return NULL;
    for (uint32_t i = at - 1; i < flow->depth; i++) {
        flow->held[i].below = 0;
        flow->held[i].is_enclosed = false;
    }
    return flow->held[at - 1].owner;
}

void thread_flow_end(struct thread_flow *flow)
{
    while (flow->depth != 0) {
        flow->depth--;
        if (flow->held[flow->depth].is_held)
            (void)owner_let_go(flow->held[flow->depth].owner);
    }
    flow->current = flow->entering = NULL;
}

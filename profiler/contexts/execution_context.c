#include "profiler/contexts/execution_context.h"

#include <string.h>

void execution_context_unwind(struct execution_context *flow, uintptr_t at,
                              void (*idle)(void *argument, struct test_context *context),
                              void *argument)
{
    while (flow->depth != 0 && flow->held[flow->depth - 1].below <= at) {
        flow->depth--;
        struct test_context *context = flow->held[flow->depth].context;
        if (flow->held[flow->depth].is_held && context_let_go(context) &&
            atomic_load_explicit(&context->is_over, memory_order_relaxed))
            idle(argument, context);
    }
}

static void push_context(struct execution_context *flow, struct test_context *context, bool is_held,
                         uintptr_t below)
{
    if (flow->depth == FLOW_DEPTH_MAX)
        memmove(flow->held, flow->held + 1, --flow->depth * sizeof flow->held[0]);
    flow->held[flow->depth].context = context;
    flow->held[flow->depth].is_held = is_held;
    flow->held[flow->depth].is_enclosed = false;
    flow->held[flow->depth++].below = below;
}

void execution_context_push(struct execution_context *flow, struct test_context *context,
                            uintptr_t at)
{
    push_context(flow, context, true, at);
}

void execution_context_enter(struct execution_context *flow, struct test_context *context,
                             bool is_held, int64_t previous)
{
    push_context(flow, context, is_held, UINTPTR_MAX);
    flow->held[flow->depth - 1].is_enclosed = true;
    flow->held[flow->depth - 1].previous = previous;
    flow->held[flow->depth - 1].stays = 0;
}

/* The number of the innermost that is enclosed, and 1; 0: none is. */
static uint32_t find_innermost(const struct execution_context *flow)
{
    uint32_t at = flow->depth;
    while (at != 0 && !flow->held[at - 1].is_enclosed)
        at--;
    return at;
}

static uint32_t *stays_of(struct execution_context *flow, uint32_t at)
{
    return at != 0 ? &flow->held[at - 1].stays : &flow->stays;
}

void execution_context_stay(struct execution_context *flow)
{
    ++*stays_of(flow, find_innermost(flow));
}

static struct test_context *leave_enclosed(struct execution_context *flow, uint32_t from,
                                           int64_t *previous)
{
    for (uint32_t i = from; i < flow->depth; i++) {
        flow->held[i].below = 0;
        flow->held[i].is_enclosed = false;
    }
    *previous = flow->held[from].previous;
    return flow->held[from].context;
}

struct test_context *execution_context_return(struct execution_context *flow, int64_t *previous)
{
    uint32_t at = find_innermost(flow), *stays = stays_of(flow, at);
    if (*stays != 0)
        --*stays;
    else if (at != 0)
        return leave_enclosed(flow, at - 1, previous);
    return NULL;
}

void execution_context_end(struct execution_context *flow)
{
    while (flow->depth != 0) {
        flow->depth--;
        if (flow->held[flow->depth].is_held)
            (void)context_let_go(flow->held[flow->depth].context);
    }
    flow->current = flow->entering = NULL;
    flow->stays = 0;
}

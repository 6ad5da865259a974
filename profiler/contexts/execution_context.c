#include "profiler/contexts/execution_context.h"

#include <string.h>

static void leave_innermost(struct execution_context *flow, left_function *left, void *argument)
{
    const struct held_context *held = &flow->held[--flow->depth];
    struct left_context found = {
        .context = held->context, .is_last = held->is_last, .back = held->back, .flow = flow};
    if (held->is_held && held->is_last)
        atomic_fetch_sub_explicit(&held->context->last, 1, memory_order_relaxed);
    found.is_idle = held->is_held && context_let_go(held->context);
    if (atomic_load_explicit(&held->context->is_over, memory_order_relaxed))
        left(argument, &found);
    flow->is_reused |= flow->depth == 0;
}

void execution_context_unwind(struct execution_context *flow, uintptr_t at, left_function *left,
                              void *argument)
{
    while (flow->depth != 0 && flow->held[flow->depth - 1].below <= at)
        leave_innermost(flow, left, argument);
}

static void mark_last(struct held_context *held)
{
    if (held->is_held && !held->is_last)
        atomic_fetch_add_explicit(&held->context->last, 1, memory_order_relaxed);
    held->is_last = true;
}

void execution_context_ended(struct execution_context *flow, const struct test_context *context)
{
    for (uint32_t i = 0; i < flow->depth; i++)
        if (flow->held[i].context == context)
            mark_last(&flow->held[i]);
}

bool execution_context_holds(const struct execution_context *flow,
                             const struct test_context *context)
{
    uint32_t at = flow->depth;
    while (at != 0 && flow->held[at - 1].context != context)
        at--;
    return at != 0;
}

static void push_context(struct execution_context *flow, struct test_context *context, bool is_held,
                         uintptr_t below, int64_t previous)
{
    bool is_last = false;
    flow->only = NULL;
    for (uint32_t i = 0; i < flow->depth; i++)
        is_last |= flow->held[i].context == context && flow->held[i].is_last;
    if (flow->depth == FLOW_DEPTH_MAX)
        memmove(flow->held, flow->held + 1, --flow->depth * sizeof flow->held[0]);
    flow->held[flow->depth] = (struct held_context){
        .context = context, .is_held = is_held, .below = below, .previous = previous};
    if (is_last)
        mark_last(&flow->held[flow->depth]);
    flow->depth++;
}

void execution_context_push(struct execution_context *flow, struct test_context *context,
                            uintptr_t at, int64_t previous)
{
    push_context(flow, context, true, at, previous);
}

struct held_context *execution_context_back(struct execution_context *flow, int64_t number)
{
    struct held_context *held = flow->depth != 0 ? &flow->held[flow->depth - 1] : NULL;
    return held != NULL && held->previous == number && held->back == 0 ? held : NULL;
}

void execution_context_enter(struct execution_context *flow, struct test_context *context,
                             bool is_held, int64_t previous)
{
    push_context(flow, context, is_held, UINTPTR_MAX, previous);
    flow->held[flow->depth - 1].is_enclosed = true;
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
    mark_last(&flow->held[from]);
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

void execution_context_end(struct execution_context *flow, left_function *left, void *argument)
{
    while (flow->depth != 0)
        leave_innermost(flow, left, argument);
    flow->current = flow->entering = NULL;
    flow->stays = 0;
    flow->is_reused = false;
}

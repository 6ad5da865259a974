/* thread_flow.h - which owners have code on the stack of a thread. A method looks up where it
 * counts once, when it is entered, so an owner's code counts in its window until it returns, even
 * if the thread has run another owner's meanwhile, deeper on the stack: what completes a task may
 * run the rest of another test. An owner must keep its window until then.
 *
 * Stacks grow down: what ran below an address is gone once anything is entered at that address or
 * above it.
 * Threads: only the thread itself uses its own. */
#ifndef ILCOV_PROFILER_OWNERS_THREAD_FLOW_H
#define ILCOV_PROFILER_OWNERS_THREAD_FLOW_H

#include "profiler/owners/owner_table.h"

enum {
    FLOW_DEPTH_MAX = 32
};

struct thread_flow {
    struct owner *current; /* NULL: none */
    struct {
        struct owner *owner; /* which is held */
        uintptr_t below;     /* its code is deeper than that; 0: it has returned */
    } held[FLOW_DEPTH_MAX];
    uint32_t depth;
    uint32_t window; /* in which the thread counts now */
};

/* The thread is at this address, so whatever is held deeper is let go. Calls `idle` for each owner
 * that is over, and now held nowhere. */
void thread_flow_unwind(struct thread_flow *flow, uintptr_t at,
                        void (*idle)(void *context, struct owner *owner), void *context);

/* The owner, which is held for it, becomes the current one. If the thread has more owners on its
 * stack than it can note down, the outermost one is held for ever. */
void thread_flow_push(struct thread_flow *flow, struct owner *owner, uintptr_t at);

/* The current owner's first method returns: what it has on this stack above others is gone when the
 * thread next changes hands. */
void thread_flow_return(struct thread_flow *flow);

/* The thread ends: it has nothing on its stack. */
void thread_flow_end(struct thread_flow *flow);

#endif

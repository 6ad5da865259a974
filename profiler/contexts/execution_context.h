/* execution_context.h - which contexts have code on the stack of a thread. A method looks up where
 * it counts once, when it is entered, so a context's code counts in its window until it returns,
 * even if the thread has run another context's meanwhile, deeper on the stack: what completes a
 * task may run the rest of another test. A context must keep its window until then.
 *
 * Stacks grow down: what ran below an address is gone once anything is entered at that address or
 * above it. But where a method is enclosed, the runtime tells of its flow from deeper on the stack
 * than the method itself is: it is there until it returns, whatever the addresses say.
 * Threads: only the thread itself uses its own. */
#pragma once

#include "profiler/contexts/context_table.h"

enum {
    FLOW_DEPTH_MAX = 128 /* more than there are windows */
};

struct held_context {
    struct test_context *context;
    bool is_held;     /* else it has no window */
    bool is_enclosed; /* a method that is enclosed, which has not returned */
    bool is_last;     /* it ended here, or began and returned: the rest hands on its result */
    uintptr_t below;  /* its code is deeper than that; 0: it has returned */
    int64_t previous; /* the number of the context before it */
    int64_t back;     /* ns, clock_ns: when the thread first went back to that one; 0: not yet */
    uint32_t stays;   /* enclosed methods in it that changed nothing, and have not returned */
};

struct execution_context {
    struct test_context *current;  /* NULL: none */
    struct test_context *entering; /* whose enclosed method begins: the flow goes over to it next */
    bool has_entered;              /* ... which it just did */
    struct held_context held[FLOW_DEPTH_MAX];
    uint32_t depth;
    uint32_t stays;  /* likewise, outside of all */
    uint32_t window; /* in which the thread counts now */
    bool is_reused;  /* it has been through with contexts before, as threads of a pool are */
    /* The only one that the thread has had on its stack, which was over then; or NULL. */
    struct test_context *only;
    int64_t only_left; /* ns, clock_ns: when it left the stack */
};

/* A context that is over, whose code has left the stack of a thread. */
struct left_context {
    struct test_context *context;
    bool is_idle; /* it is held nowhere now */
    bool is_last; /* it ended on this thread, or the method that began it returned here */
    int64_t back; /* ns: since then it may have been gone; 0: it was there until now */
    struct execution_context *flow;
};
typedef void left_function(void *argument, const struct left_context *left);

/* The thread is at this address, so whatever is held deeper is let go. Calls `left` for what is
 * over. */
void execution_context_unwind(struct execution_context *flow, uintptr_t at, left_function *left,
                              void *argument);

/* Code of the context, which is held for it, runs from here on. If the thread has more contexts on
 * its stack than it can note down, the outermost one is held for ever. */
void execution_context_push(struct execution_context *flow, struct test_context *context,
                            uintptr_t at, int64_t previous);
/* The innermost one, if the thread now goes back for the first time to the context before it, which
 * is that one; or NULL. The address may tell nothing of it: frames of the runtime change their size
 * when it compiles them anew. */
struct held_context *execution_context_back(struct execution_context *flow, int64_t number);
/* The context's enclosed method begins, in the flow of `previous`; `is_held`: it has a window. */
void execution_context_enter(struct execution_context *flow, struct test_context *context,
                             bool is_held, int64_t previous);
/* An enclosed method begins, and the flow stays what it is. */
void execution_context_stay(struct execution_context *flow);

/* The innermost enclosed method returns: what is deeper on this stack is gone when the thread next
 * changes hands. Its context, and who was before it; or NULL if it stayed, or there is none. */
struct test_context *execution_context_return(struct execution_context *flow, int64_t *previous);

/* The context ended on this thread. */
void execution_context_ended(struct execution_context *flow, const struct test_context *context);
/* Is its code on the stack? */
bool execution_context_holds(const struct execution_context *flow,
                             const struct test_context *context);

/* The thread ends: it has nothing on its stack, and the next thread may have the flow. Calls `left`
 * for what is over. */
void execution_context_end(struct execution_context *flow, left_function *left, void *argument);

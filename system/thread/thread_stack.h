/* thread_stack.h - where the stack of the calling thread is.
 * Source: pthread_getattr_np(3). What it says of the main thread is its limit, which may be more
 *         than is mapped.
 * Target: safe to call there on any thread. */
#ifndef ILCOV_SYSTEM_THREAD_THREAD_STACK_H
#define ILCOV_SYSTEM_THREAD_THREAD_STACK_H

#include "base/base.h"

struct thread_stack {
    uintptr_t low, high; /* its first byte, and the byte after its last */
};

/* False if the system does not say. */
NODISCARD bool thread_stack_find(struct thread_stack *out);

#endif

/* thread.h - a thread of the library's own, inside the target, which exists only if it is needed.
 * All signals belong to the target and never reach it; the runtime does not know it. And what any
 * thread may ask of the system about itself.
 * Target: safe to call there on any thread; libc only. */
#ifndef ILCOV_SYSTEM_THREAD_THREAD_H
#define ILCOV_SYSTEM_THREAD_THREAD_H

#include "base/base.h"

struct thread {
    uint64_t handle; /* the system's */
};

/* `name` has at most 15 characters. The caller joins it. */
NODISCARD bool thread_start(struct thread *out, const char *name, void *(*run)(void *),
                            void *argument);
/* Returns when it has ended. */
void thread_join(const struct thread *thread);

/* The system's number of the calling thread: no other one that lives on this machine has it, except
 * in another namespace of processes. */
uint32_t thread_own_number(void);

/* Lets other threads that are ready go first. */
void thread_yield(void);

#endif

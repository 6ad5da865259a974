/* thread.h - threads of this process, and what they share.
 * Source: pthreads(7).
 * Target: safe to call there on any thread: no allocations but by thread_start, libc only. */
#pragma once

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

/* Where the stack of the calling thread is. What the system says of the main thread is its limit,
 * which may be more than is mapped. Source: pthread_getattr_np(3). */

struct thread_stack {
    uintptr_t low, high; /* its first byte, and the byte after its last */
};

/* False if the system does not say. */
NODISCARD bool thread_stack_find(struct thread_stack *out);

/* A pointer of which each thread has its own, NULL at first; not _Thread_local, for which a library
 * needs more than the libc. */

struct thread_slot {
    uint64_t key; /* the system's */
    bool is_open; /* else it is NULL in every thread, and can't be set */
};

/* False if the process has too many. It is never closed. */
NODISCARD bool thread_slot_open(struct thread_slot *out);
void thread_slot_set(const struct thread_slot *slot, void *pointer);
void *thread_slot_get(const struct thread_slot *slot);

/* Lets one thread at a time do something. Not recursive. One that is all zeroes is ready; it needs
 * no end if its memory only goes away. */

struct mutex {
    uint64_t state[6]; /* the system's */
};

/* Waits for who has it. */
void mutex_lock(struct mutex *mutex);
void mutex_unlock(struct mutex *mutex);

/* A thread waits until another one has changed what a mutex guards. It may also be woken without a
 * change, so it looks again. All hold the mutex. Owner: condition_end, when no thread waits. */

struct condition {
    uint64_t state[6]; /* the system's */
};

void condition_init(struct condition *out);
void condition_end(struct condition *condition);

/* Wakes one thread that waits. */
void condition_signal(struct condition *condition);

void condition_wait(struct condition *condition, struct mutex *mutex);
/* At most until then, a time of clock_ms. False: it is that late. */
bool condition_wait_until(struct condition *condition, struct mutex *mutex, int64_t until);

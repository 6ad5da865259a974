/* thread_slot.h - a pointer of which each thread has its own, NULL at first.
 * Source: pthread_key_create(3); not _Thread_local, for which a library needs more than the libc.
 * Target: safe to call there on any thread. */
#ifndef ILCOV_SYSTEM_THREAD_THREAD_SLOT_H
#define ILCOV_SYSTEM_THREAD_THREAD_SLOT_H

#include "base/base.h"

struct thread_slot {
    uint64_t key; /* the system's */
    bool is_open; /* else it is NULL in every thread, and can't be set */
};

/* False if the process has too many. It is never closed. */
NODISCARD bool thread_slot_open(struct thread_slot *out);
void thread_slot_set(const struct thread_slot *slot, void *pointer);
void *thread_slot_get(const struct thread_slot *slot);

#endif

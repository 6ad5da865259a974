#include "system/thread/thread_slot.h"

#include <pthread.h>

bool thread_slot_open(struct thread_slot *out)
{
    pthread_key_t key;
    out->is_open = pthread_key_create(&key, NULL) == 0;
    if (out->is_open)
        out->key = key;
    return out->is_open;
}

void thread_slot_set(const struct thread_slot *slot, void *pointer)
{
    if (slot->is_open)
        (void)pthread_setspecific((pthread_key_t)slot->key, pointer);
}

void *thread_slot_get(const struct thread_slot *slot)
{
    return slot->is_open ? pthread_getspecific((pthread_key_t)slot->key) : NULL;
}

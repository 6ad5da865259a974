#include "system/thread/thread_stack.h"

#include <pthread.h>

/* Of an unlimited main stack, which no thread needs. */
static const size_t len_max = (size_t)1 << 30;

bool thread_stack_find(struct thread_stack *out)
{
    pthread_attr_t attributes;
    void *low = NULL;
    size_t len = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return false;
    bool known = pthread_attr_getstack(&attributes, &low, &len) == 0 && len != 0;
    (void)pthread_attr_destroy(&attributes);
    if (!known)
        return false;
    out->high = (uintptr_t)low + len;
    out->low = len < len_max ? (uintptr_t)low : out->high - len_max;
    return true;
}

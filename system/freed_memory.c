#include "system/freed_memory.h"

#include <malloc.h>

/* Only the GNU C library can be told. */
#ifdef M_TRIM_THRESHOLD
enum {
    FREE_MOST = 64 << 20, /* at the end of the heap */
    /* allocations that get a mapping of their own: they grow without being copied */
    ALONE_LEAST = 4 << 20
};
#endif

void freed_memory_keep(void)
{
#ifdef M_TRIM_THRESHOLD
    (void)mallopt(M_TRIM_THRESHOLD, FREE_MOST);
    (void)mallopt(M_MMAP_THRESHOLD, ALONE_LEAST);
#endif
}

#include "profiler/windows.h"

#include <sys/mman.h>

#include "profiler/counters.h"

/* Starts below 2 GiB that nothing else is likely to have: above a non-PIE program, below what maps
 * prefer. */
static const uintptr_t low_starts[] = {0x10000000, 0x30000000, 0x50000000};

void windows_init(struct windows *out)
{
    *out = (struct windows){.shard_count = SHARDS_MAX};
}

static void *reserve(uintptr_t at, size_t len)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at != 0 ? MAP_FIXED_NOREPLACE : 0);
    void *place = mmap((void *)at, len, PROT_NONE, flags, -1, 0);
    if (place == MAP_FAILED)
        return NULL;
    if (at != 0 &&
        place != (void *)at) { /* a kernel that does not know the flag takes it for a hint */
        (void)munmap(place, len);
        return NULL;
    }
    return place;
}

static bool add_region(struct windows *windows)
{
    size_t len = (size_t)windows->shard_count << WINDOW_BITS;
    void *start = NULL;
    if (windows->region_count == REGIONS_MAX)
        return false;
    for (size_t i = 0; windows->region_count == 0 && i < ARRAY_LEN(low_starts) && start == NULL;
         i++)
        if (low_starts[i] + len <= (uintptr_t)1 << 31)
            start = reserve(low_starts[i], len);
    if (start == NULL)
        start = reserve(0, len);
    if (start == NULL)
        return false;
    windows->regions[windows->region_count++] = (struct region){.start = start};
    return true;
}

uint8_t *windows_peek(struct windows *windows, size_t len)
{
    if (len > WINDOW_LEN)
        return reserve(0, len);
    for (uint32_t i = 0; i < windows->region_count; i++)
        if (len <= WINDOW_LEN - windows->regions[i].used)
            return windows->regions[i].start + windows->regions[i].used;
    return add_region(windows) ? windows->regions[windows->region_count - 1].start : NULL;
}

void windows_take(struct windows *windows, const uint8_t *place, size_t len)
{
    for (uint32_t i = 0; i < windows->region_count; i++)
        if (place == windows->regions[i].start + windows->regions[i].used)
            windows->regions[i].used += len;
}

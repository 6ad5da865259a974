#include "profiler/shard_memory/shard_windows.h"

#include "contract/session_format.h"
#include "system/memory.h"

enum {
    TARGETS_PART = 16, /* a region takes at most 1/16 of limited address space */
    MAPPINGS_LEFT_LEAST = 16,
};

/* With less address space than this there is no region at all. The runtime reserves seven tenths
 * of a limit, and malloc up to 64 MiB for each thread: whether a program has a stack for its last
 * thread can depend on a few MiB. */
static const uint64_t roomy_least = (uint64_t)8 << 30;

/* Addresses below 2 GiB that are probably free: above a non-PIE program, below where mappings
 * usually are. */
static const uintptr_t low_starts[] = {0x10000000, 0x30000000, 0x50000000};
static const uintptr_t low_end = 0x70000000; /* there the table is (shard_table.c) */

bool windows_leave_some(void)
{
    return map_allows_more(MAPPINGS_LEFT_LEAST);
}

bool windows_allow(const struct windows *windows, uint32_t mappings)
{
    return windows->mapping_count <= MAPPINGS_MAX &&
           mappings <= MAPPINGS_MAX - windows->mapping_count;
}

void windows_add_mappings(struct windows *windows, uint32_t mappings)
{
    windows->mapping_count += mappings;
}

static bool add_region(struct windows *windows)
{
    size_t len = (size_t)windows->shard_count << WINDOW_BITS;
    uint8_t *start = NULL;
    if (windows->region_count == REGIONS_MAX)
        return false;
    for (size_t i = 0; windows->region_count == 0 && i < ARRAY_LEN(low_starts) && start == NULL;
         i++)
        if (low_starts[i] + len <= low_end)
            start = map_reserve(low_starts[i], len);
    if (start == NULL)
        start = map_reserve(0, len);
    if (start == NULL)
        return false;
    windows->regions[windows->region_count++] = (struct region){.start = start};
    return true;
}

void windows_init(struct windows *out)
{
    uint64_t left = map_address_space_left();
    *out = (struct windows){.shard_count = left < roomy_least ? 1 : SHARDS_MAX};
    while ((uint64_t)out->shard_count << WINDOW_BITS > left / TARGETS_PART && out->shard_count > 1)
        out->shard_count /= 2;
    if (left != UINT64_MAX && out->shard_count > 1)
        (void)add_region(out); /* later the runtime's heap will have taken the rest */
}

/* What was offered last, but for its first `taken` bytes. */
static void release_offer(struct windows *windows, size_t taken)
{
    if (windows->offer != NULL && windows->offer_len > taken)
        map_release(windows->offer + taken, windows->offer_len - taken);
    windows->offer = NULL;
}

void windows_close(struct windows *windows)
{
    for (uint32_t i = 0; i < windows->region_count; i++)
        map_release(windows->regions[i].start, (size_t)windows->shard_count << WINDOW_BITS);
    windows->region_count = 0;
    release_offer(windows, 0);
    if (windows->single.start != NULL)
        map_release(windows->single.start, WINDOW_LEN);
    windows->single.start = NULL;
}

static uint8_t *peek_single(struct windows *windows, size_t len)
{
    struct region *single = &windows->single;
    if (single->start == NULL || len > WINDOW_LEN - single->used) {
        uint8_t *start = map_reserve(0, WINDOW_LEN);
        if (start == NULL)
            return NULL;
        *single = (struct region){.start = start};
    }
    return single->start + single->used;
}

uint8_t *windows_peek(struct windows *windows, size_t len, bool single)
{
    release_offer(windows, 0);
    if (len > WINDOW_LEN || windows->shard_count == 1) {
        windows->offer = map_reserve(0, len);
        windows->offer_len = len;
        return windows->offer;
    }
    if (single)
        return peek_single(windows, len);
    for (uint32_t i = 0; i < windows->region_count; i++)
        if (len <= WINDOW_LEN - windows->regions[i].used)
            return windows->regions[i].start + windows->regions[i].used;
    return add_region(windows) ? windows->regions[windows->region_count - 1].start : NULL;
}

void windows_take(struct windows *windows, const uint8_t *place, size_t len, uint32_t shard_count)
{
    windows->mapping_count += shard_count;
    for (uint32_t i = 0; i < windows->region_count; i++)
        if (place == windows->regions[i].start + windows->regions[i].used)
            windows->regions[i].used += len;
    if (windows->single.start != NULL && place == windows->single.start + windows->single.used)
        windows->single.used += len;
    if (place == windows->offer)
        release_offer(windows, len);
}

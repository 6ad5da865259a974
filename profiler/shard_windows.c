#include "profiler/shard_windows.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "contract/counters.h"

enum {
    TARGETS_PART = 16, /* of limited address space a region takes one in so many */
    MAPPINGS_LEFT_LEAST = 16,
};

/* Starts below 2 GiB that nothing else is likely to have: above a non-PIE program, below what maps
 * prefer. */
static const uintptr_t low_starts[] = {0x10000000, 0x30000000, 0x50000000};

/* What RLIMIT_AS leaves of the address space; UINT64_MAX without such a limit. */
static uint64_t address_space_left(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    char text[32] = "";
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t len = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0)
        (void)close(fd);
    text[len > 0 ? len : 0] = '\0';
    uint64_t pages = 0;
    if (sscanf(text, "%" SCNu64, &pages) != 1)
        return 0;
    uint64_t used = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

/* Tried with pages that differ from their neighbours, and given back at once. */
bool windows_leave_some(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), len = 2 * MAPPINGS_LEFT_LEAST * page;
    uint8_t *pages = mmap(NULL, len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
        return false;
    bool enough = true;
    for (size_t at = page; enough && at < len; at += 2 * page)
        enough = mprotect(pages + at, page, PROT_READ) == 0;
    (void)munmap(pages, len);
    return enough;
}

uint32_t windows_shards(const struct windows *windows)
{
    uint32_t shards = windows->shard_count;
    while (shards > 1 && windows->mapping_count + shards > MAPPINGS_MAX)
        shards /= 2;
    return shards;
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

void windows_init(struct windows *out)
{
    *out = (struct windows){.shard_count = SHARDS_MAX};
    uint64_t most = address_space_left() / TARGETS_PART;
    while (out->shard_count > 1 && (uint64_t)out->shard_count << WINDOW_BITS > most)
        out->shard_count /= 2;
    if (most != UINT64_MAX / TARGETS_PART)
        (void)add_region(out); /* later the runtime's heap will have what is left */
}

void windows_close(struct windows *windows)
{
    for (uint32_t i = 0; i < windows->region_count; i++)
        (void)munmap(windows->regions[i].start, (size_t)windows->shard_count << WINDOW_BITS);
    windows->region_count = 0;
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

void windows_take(struct windows *windows, const uint8_t *place, size_t len, uint32_t shard_count)
{
    windows->mapping_count += shard_count;
    for (uint32_t i = 0; i < windows->region_count; i++)
        if (place == windows->regions[i].start + windows->regions[i].used)
            windows->regions[i].used += len;
}

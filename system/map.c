#include "system/map.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "system/process/process_file.h"

enum {
    RESERVED = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
    MEMORY = MAP_PRIVATE | MAP_ANONYMOUS
};

size_t map_granularity(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

size_t map_whole(size_t len)
{
    size_t page = map_granularity();
    return (len + page - 1) & ~(page - 1);
}

/* --- reserving -------------------------------------------------------------------------------- */

static uint8_t *take_addresses(uintptr_t at, size_t len, int protection)
{
    int flags = RESERVED | (at != 0 ? MAP_FIXED_NOREPLACE : 0);
    void *place = mmap((void *)at, len, protection, flags, -1, 0);
    if (place != MAP_FAILED && at != 0 && place != (void *)at) {
        map_release(place, len); /* a kernel that does not know the flag takes `at` as a hint */
        errno = EEXIST;
        place = MAP_FAILED;
    }
    return place != MAP_FAILED ? place : NULL;
}

uint8_t *map_reserve(uintptr_t at, size_t len)
{
    return take_addresses(at, len, PROT_NONE);
}

/* Memory that is not writable counts against no limit of memory. Huge pages would take 2 MiB for
 * the first byte that is written, and a core file would have it all. */
uint8_t *map_zeroes(uintptr_t at, size_t len)
{
    uint8_t *place = take_addresses(at, len, PROT_READ);
    if (place != NULL) {
        (void)madvise(place, len, MADV_NOHUGEPAGE);
        (void)madvise(place, len, MADV_DONTDUMP);
    }
    return place;
}

bool map_writable(void *at, size_t len)
{
    return mprotect(at, len, PROT_READ | PROT_WRITE) == 0;
}

/* When the kernel allows no further mapping, it does not replace one either, but removes it.
 * Another thread may take the hole before it is filled. */
bool map_reserve_again(void *at, size_t len)
{
    if (mmap(at, len, PROT_NONE, RESERVED | MAP_FIXED, -1, 0) == at)
        return true;
    return munmap(at, len) == 0 && map_reserve((uintptr_t)at, len) != NULL;
}

/* --- memory and files ------------------------------------------------------------------------- */

/* `at` NULL: anywhere. `fd` -1: memory. */
static uint8_t *map(void *at, size_t len, int fd, size_t offset)
{
    int flags = (at != NULL ? MAP_FIXED : 0) | (fd >= 0 ? MAP_SHARED : MEMORY);
    void *place = mmap(at, len, PROT_READ | PROT_WRITE, flags, fd, (off_t)offset);
    return place != MAP_FAILED ? place : NULL;
}

/* An invalid descriptor must not become memory that no other process sees. */
static bool is_open(int fd)
{
    if (fd < 0)
        errno = EBADF;
    return fd >= 0;
}

uint8_t *map_memory(size_t len)
{
    return map(NULL, len, -1, 0);
}

uint8_t *map_shared(int fd, size_t len)
{
    return is_open(fd) ? map(NULL, len, fd, 0) : NULL;
}

bool map_memory_at(void *at, size_t len)
{
    return map(at, len, -1, 0) != NULL;
}

bool map_shared_at(void *at, size_t len, int fd, size_t offset)
{
    return is_open(fd) && map(at, len, fd, offset) != NULL;
}

void map_release(void *at, size_t len)
{
    (void)munmap(at, len); /* fails only for what was never mapped */
}

/* --- limits of the process -------------------------------------------------------------------- */

/* Pages that differ from their neighbours are mappings of their own. */
bool map_allows_more(unsigned mappings)
{
    size_t page = map_granularity(), len = 2 * mappings * page;
    uint8_t *pages = map_reserve(0, len);
    if (pages == NULL)
        return false;
    bool enough = true;
    for (size_t at = page; enough && at < len; at += 2 * page)
        enough = mprotect(pages + at, page, PROT_READ) == 0;
    map_release(pages, len);
    return enough;
}

uint64_t map_address_space_left(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    char text[32];
    size_t len = 0;
    uint64_t pages = 0;
    if (!process_file_read(text, &len, sizeof text, PROCESS_SELF, "statm") ||
        sscanf(text, "%" SCNu64, &pages) != 1)
        return 0;
    uint64_t used = pages * map_granularity();
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

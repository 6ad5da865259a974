#include "system/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/base.h"
#include "system/file.h"
#include "system/process.h"

/* --- map -------------------------------------------------------------------------------------- */

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
static uint8_t *map_pages(void *at, size_t len, int fd, size_t offset)
{
    int flags = (at != NULL ? MAP_FIXED : 0) | (fd >= 0 ? MAP_SHARED : MEMORY);
    void *place = mmap(at, len, PROT_READ | PROT_WRITE, flags, fd, (off_t)offset);
    return place != MAP_FAILED ? place : NULL;
}

/* An invalid descriptor must not become memory that no other process sees. */
static bool is_valid_file(int fd)
{
    if (fd < 0)
        errno = EBADF;
    return fd >= 0;
}

uint8_t *map_memory(size_t len)
{
    return map_pages(NULL, len, -1, 0);
}

uint8_t *map_shared(int fd, size_t len)
{
    return is_valid_file(fd) ? map_pages(NULL, len, fd, 0) : NULL;
}

bool map_memory_at(void *at, size_t len)
{
    return map_pages(at, len, -1, 0) != NULL;
}

bool map_shared_at(void *at, size_t len, int fd, size_t offset)
{
    return is_valid_file(fd) && map_pages(at, len, fd, offset) != NULL;
}

void map_release(void *at, size_t len)
{
    (void)munmap(at, len); /* fails only for what was never mapped */
}

/* --- limits of the process -------------------------------------------------------------------- */

/* Pages that differ from their neighbours are mappings of their own. */
bool map_allows_more(unsigned mappings)
{
    size_t page = map_granularity(), len = 2 * page * mappings;
    uint8_t *pages = map_reserve(0, len);
    if (pages == NULL)
        return false;
    bool enough = true;
    for (size_t at = page; enough && at < len; at += 2 * page)
        enough = mprotect(pages + at, page, PROT_READ) == 0;
    map_release(pages, len);
    return enough;
}

static uint64_t left_of(const struct rlimit *limit, int process)
{
    char text[32];
    size_t len = 0;
    uint64_t pages = 0;
    if (limit->rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    if (!process_file_read(text, &len, sizeof text, process, "statm") ||
        sscanf(text, "%" SCNu64, &pages) != 1)
        return 0;
    uint64_t used = pages * map_granularity();
    return limit->rlim_cur > used ? limit->rlim_cur - used : 0;
}

uint64_t map_address_space_left(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 ? left_of(&limit, PROCESS_SELF) : UINT64_MAX;
}

/* The library does without prlimit. */
uint64_t map_address_space_left_to(int process)
{
    struct rlimit limit;
    return prlimit(process, RLIMIT_AS, NULL, &limit) == 0 ? left_of(&limit, process) : UINT64_MAX;
}

/* --- memory room ------------------------------------------------------------------------------ */

/* The number in a cgroup file; UINT64_MAX if it says "max" or there is no such file. */
static uint64_t cgroup_number(const char *path)
{
    char text[32];
    int file = file_open(path, FILE_READ);
    int64_t len = file >= 0 ? file_read_some(file, text, sizeof text - 1) : 0;
    uint64_t number = UINT64_MAX;
    (void)file_close(file);
    text[len > 0 ? len : 0] = '\0';
    return sscanf(text, "%" SCNu64, &number) == 1 ? number : UINT64_MAX;
}

uint64_t memory_room(void)
{
    static const char *const files[][2] = {
        {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes",
         "/sys/fs/cgroup/memory/memory.usage_in_bytes"}};
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        uint64_t limit = cgroup_number(files[i][0]), used = cgroup_number(files[i][1]);
        if (limit != UINT64_MAX && used != UINT64_MAX)
            return limit > used ? limit - used : 0;
    }
    return UINT64_MAX;
}

/* --- freed memory ----------------------------------------------------------------------------- */

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

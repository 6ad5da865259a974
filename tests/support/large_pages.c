/* large_pages.c - preloaded into a program, it is to libilcov.so what a machine with pages of
 * 64 KiB (or LARGE_PAGE_KIB) is: sysconf and getpagesize say so, mappings begin and end at whole
 * pages, and addresses and offsets that do not are refused. The runtime and all else keep the
 * machine's own pages. */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* Only what the library itself calls; its C library has the machine's pages. */
#define IS_LIBRARY is_library(__builtin_return_address(0))

#ifndef LARGE_PAGE_KIB
#define LARGE_PAGE_KIB 64
#endif

static const size_t page = LARGE_PAGE_KIB << 10;

static bool is_library(const void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) != 0 && info.dli_fname != NULL &&
           strstr(info.dli_fname, "libilcov.so") != NULL;
}

static size_t whole(size_t len)
{
    return (len + page - 1) & ~(page - 1);
}

/* The next function of that name; ISO C knows no way from an object pointer to one. */
#define NEXT(type, name)                                                                           \
    type next_##name;                                                                              \
    do {                                                                                           \
        void *symbol = dlsym(RTLD_NEXT, #name);                                                    \
        memcpy(&next_##name, &symbol, sizeof symbol);                                              \
    } while (0)

typedef void *(*mmap_function)(void *, size_t, int, int, int, off_t);
typedef int (*munmap_function)(void *, size_t);
typedef int (*mprotect_function)(void *, size_t, int);
typedef long (*sysconf_function)(int);
typedef int (*getpagesize_function)(void);

static bool is_whole(const void *at)
{
    if (((uintptr_t)at & (page - 1)) == 0)
        return true;
    errno = EINVAL;
    return false;
}

/* Where `len` bytes can be mapped over with MAP_FIXED. */
static void *find_place(size_t len)
{
    NEXT(mmap_function, mmap);
    NEXT(munmap_function, munmap);
    uint8_t *place =
        next_mmap(NULL, len + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED)
        return MAP_FAILED;
    uint8_t *start = (uint8_t *)whole((uintptr_t)place);
    if (start != place)
        (void)next_munmap(place, (size_t)(start - place));
    (void)next_munmap(start + len, (size_t)(place + page - start));
    return start;
}

EXPORT void *mmap(void *at, size_t len, int protection, int flags, int fd, off_t offset)
{
    NEXT(mmap_function, mmap);
    if (!IS_LIBRARY)
        return next_mmap(at, len, protection, flags, fd, offset);
    if (!is_whole(at) || !is_whole((void *)offset))
        return MAP_FAILED;
    len = whole(len);
    if (at == NULL) {
        at = find_place(len);
        flags |= MAP_FIXED;
    }
    return at != MAP_FAILED ? next_mmap(at, len, protection, flags, fd, offset) : MAP_FAILED;
}

EXPORT int munmap(void *at, size_t len)
{
    NEXT(munmap_function, munmap);
    if (!IS_LIBRARY)
        return next_munmap(at, len);
    return is_whole(at) ? next_munmap(at, whole(len)) : -1;
}

EXPORT int mprotect(void *at, size_t len, int protection)
{
    NEXT(mprotect_function, mprotect);
    if (!IS_LIBRARY)
        return next_mprotect(at, len, protection);
    return is_whole(at) ? next_mprotect(at, whole(len), protection) : -1;
}

EXPORT long sysconf(int name)
{
    NEXT(sysconf_function, sysconf);
    return name == _SC_PAGESIZE && IS_LIBRARY ? (long)page : next_sysconf(name);
}

EXPORT int getpagesize(void)
{
    NEXT(getpagesize_function, getpagesize);
    return IS_LIBRARY ? (int)page : next_getpagesize();
}

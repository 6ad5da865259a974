/* musl_shim.c - what Debian's libstdc++.a and libgcc_s.so.1 ask of glibc and musl lacks, enough for
 * .NET to run: only tests/platforms/musl.sh links it.
 * Source: the interfaces of glibc's dl_find_object, and of libgcc's unwinder and cpuinfo. */
#define _GNU_SOURCE
#include <link.h>
#include <locale.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

char __libc_single_threaded = 0;

struct {
    unsigned vendor, type, subtype, features[1];
} __cpu_model;

int __cpu_indicator_init(void)
{
    return 0;
}

/* Objects of a thread that ends are not destroyed. */
int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library)
{
    (void)destroy;
    (void)object;
    (void)library;
    return 0;
}

uint32_t arc4random(void)
{
    uint32_t value = 0;
    (void)!getrandom(&value, sizeof value, 0);
    return value;
}

size_t __strftime_l(char *out, size_t room, const char *format, const struct tm *time,
                    locale_t locale)
{
    return strftime_l(out, room, format, time, locale);
}

int __pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
    return pthread_key_create(key, destroy);
}

/* --- the unwinder asks: which library is this code of, and where are its frames? -------------- */

struct dl_find_object {
    unsigned long long flags;
    void *map_start, *map_end;
    struct link_map *link_map;
    void *eh_frame;
    unsigned long long reserved[7];
};

struct search {
    uintptr_t code;
    struct dl_find_object *out;
    int found;
};

static int look(struct dl_phdr_info *info, size_t size, void *context)
{
    struct search *search = context;
    uintptr_t low = UINTPTR_MAX, high = 0, frames = 0;
    int inside = 0;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + part->p_vaddr, end = at + part->p_memsz;
        if (part->p_type == PT_GNU_EH_FRAME)
            frames = at;
        if (part->p_type != PT_LOAD)
            continue;
        low = at < low ? at : low;
        high = end > high ? end : high;
        inside |= search->code >= at && search->code < end;
    }
    if (!inside || frames == 0)
        return 0;
    *search->out = (struct dl_find_object){
        .map_start = (void *)low, .map_end = (void *)high, .eh_frame = (void *)frames};
    search->found = 1;
    return 1;
}

int _dl_find_object(void *code, struct dl_find_object *out)
{
    struct search search = {(uintptr_t)code, out, 0};
    (void)dl_iterate_phdr(look, &search);
    return search.found ? 0 : -1;
}

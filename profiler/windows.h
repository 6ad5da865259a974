/* windows.h - where counters lie in the target's address space.
 *
 * A region is K windows of 8 MiB, one a shard; a module has the same place in every window, so that
 * a probe's address is (base of the thread's shard) + (constant). The first region lies below 2
 * GiB, where the JIT folds that constant into the addressing of one instruction; when it is full,
 * or the place is taken, another follows anywhere.
 *
 *   region ─┬─ window 0 ── [module A][module B]...        window s + 1 begins 8 MiB behind window s
 *           ├─ window 1 ── [module A][module B]...
 *           └─ ...
 *
 * Only addresses are reserved here; files are mapped over them by counters.c. Nothing is ever given
 * back: code that writes there lives as long as the process.
 * Threads: callers hold the layout lock (instrument.c). */
#ifndef ILCOV_PROFILER_WINDOWS_H
#define ILCOV_PROFILER_WINDOWS_H

#include "base/err.h"

enum {
    WINDOW_BITS = 23,
    WINDOW_LEN = 1 << WINDOW_BITS,
    REGIONS_MAX = 16
};

struct region {
    uint8_t *start;
    size_t used; /* bytes of each window that modules have taken, whole pages */
};

struct windows {
    uint32_t shard_count; /* of each region; a module may use fewer, a power of two */
    struct region regions[REGIONS_MAX];
    uint32_t region_count;
};

void windows_init(struct windows *out);

/* A place for `len` bytes (whole pages) in each window; for more than a window a place of its own,
 * good for one shard only. NULL when there is no address space left. */
uint8_t *windows_peek(struct windows *windows, size_t len);
/* Takes what windows_peek offered last. */
void windows_take(struct windows *windows, const uint8_t *place, size_t len);

#endif

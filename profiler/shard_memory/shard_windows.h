/* shard_windows.h - where counters are in the target's address space.
 *
 * A region is K windows of 8 MiB, one per shard; a module has the same place in every window, so
 * that a probe's address is (base of the thread's shard) + (constant). The first region is below 2
 * GiB, where the JIT folds that constant into the addressing of one instruction; when it is full,
 * or the address is taken, another region goes anywhere.
 *
 *   region ─┬─ window 0 ── [module A][module B]...        window s + 1 begins 8 MiB after window s
 *           ├─ window 1 ── [module A][module B]...
 *           └─ ...
 *
 * Modules beyond the first 1,000 have one shard, and lie one after the other in a single window
 * of their own.
 *
 * Only addresses are reserved here; counter_file.c maps files over them. Nothing is ever released:
 * code that writes there lives as long as the process.
 * Threads: callers hold the layout lock (instrument.c). */
#pragma once

#include "base/err.h"

enum {
    WINDOW_BITS = 23,
    WINDOW_LEN = 1 << WINDOW_BITS,
    REGIONS_MAX = 16,
    MAPPINGS_MAX = 16384,       /* then there are no further shards */
    SHARDED_MODULES_MAX = 1000, /* further ones have one */
};

struct region {
    uint8_t *start;
    size_t used; /* bytes of each window that modules have taken, whole pages */
};

struct windows {
    uint32_t shard_count; /* of each region; what is mapped in them: shards.h */
    struct region regions[REGIONS_MAX];
    uint32_t region_count;
    struct region single; /* one window, for modules with one shard; full ones are forgotten */
    uint8_t *offer;       /* a place for one shard alone, not taken yet; NULL: none */
    size_t offer_len;
    /* of files over them: the kernel allows a process 65,530 of all kinds */
    uint32_t mapping_count;
};

/* If address space is limited (RLIMIT_AS), uses fewer shards, or one: the target keeps it. */
void windows_init(struct windows *out);

/* Releases the address space: for a library that is unloaded without having counted. */
void windows_close(struct windows *windows);

/* A place for `len` bytes (whole pages) in each window, or for one shard only: `single`, and what
 * is more than a window. What it offers is free again at the next call, unless it is taken. NULL if
 * there is no address space left. */
uint8_t *windows_peek(struct windows *windows, size_t len, bool single);
/* Takes what windows_peek offered last, for a mapping in each of `shard_count` windows. */
void windows_take(struct windows *windows, const uint8_t *place, size_t len, uint32_t shard_count);
/* After a mapping failed: does the process have enough left that taking two more can't hurt it? */
bool windows_leave_some(void);
/* May files be mapped so many times more? */
bool windows_allow(const struct windows *windows, uint32_t mappings);
void windows_add_mappings(struct windows *windows, uint32_t mappings);

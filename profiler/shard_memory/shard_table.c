#include "profiler/shard_memory/shard_table.h"

#include "rewriter/rewrite.h"
#include "system/memory.h"

/* What the kernel gives a process that does not ask for more. */
enum {
#ifdef __aarch64__
    ADDRESS_BITS = 48,
#else
    ADDRESS_BITS = 47,
#endif
    SMALL_CHUNK_BITS = 20
};

/* Below 2 GiB the JIT folds the address of the table into that of the entry; above the first region
 * of windows (shard_windows.c). */
static const uintptr_t low_starts[] = {0x70000000, 0x74000000, 0x78000000, 0x7C000000, 0};

static uint64_t number_entry(const struct shard_table *table, uintptr_t address)
{
    uint64_t number = (uint64_t)address >> REWRITE_CHUNK_BITS;
    return table->chunks != 0 ? number & table->chunks : number;
}

bool shard_table_open(struct shard_table *out, bool limited_space)
{
    unsigned bits = limited_space ? SMALL_CHUNK_BITS : ADDRESS_BITS - REWRITE_CHUNK_BITS;
    uint8_t *place = NULL;
    *out = (struct shard_table){.len = (size_t)1 << (bits + REWRITE_ENTRY_BITS)};
    for (size_t i = 0; i < ARRAY_LEN(low_starts) && place == NULL; i++)
        place = map_zeroes(low_starts[i], map_granularity() + out->len);
    if (place == NULL)
        return false;
    out->entries = (uint64_t *)(void *)(place + map_granularity());
    out->chunks = limited_space ? ((uint64_t)1 << bits) - 1 : 0;
    return true;
}

void shard_table_close(struct shard_table *table)
{
    if (table->entries != NULL)
        map_release((uint8_t *)table->entries - map_granularity(), map_granularity() + table->len);
    table->entries = NULL;
}

static bool make_writable(const struct shard_table *table, uint64_t first, uint64_t last)
{
    uintptr_t page = map_granularity(), start = (uintptr_t)&table->entries[first] & ~(page - 1),
              end = (uintptr_t)&table->entries[last + 1];
    return map_writable((void *)start, map_whole(end - start));
}

/* Of a chunk that two stacks share the upper part is the end of one, which hardly ever comes to be
 * used; the lower part is the beginning of the other, whose chunk it is. */
bool shard_table_set(const struct shard_table *table, struct thread_stack stack, uint64_t base)
{
    uintptr_t chunk = (uintptr_t)1 << REWRITE_CHUNK_BITS;
    uintptr_t low = (stack.low + chunk - 1) & ~(chunk - 1);
    if (low >= stack.high)
        low = stack.high - 1;
    uint64_t first = number_entry(table, low), last = number_entry(table, stack.high - 1);
    uint64_t most = (table->len >> REWRITE_ENTRY_BITS) - 1;
    if (first > most || last > most)
        return false;
    bool wraps = first > last;
    if (!make_writable(table, wraps ? 0 : first, wraps ? most : last))
        return false;
    shard_table_change(table, stack.low, stack.high, base);
    return true;
}

void shard_table_change(const struct shard_table *table, uintptr_t low, uintptr_t high,
                        uint64_t base)
{
    uintptr_t chunk = (uintptr_t)1 << REWRITE_CHUNK_BITS;
    low = (low + chunk - 1) & ~(chunk - 1);
    uint64_t first = number_entry(table, low < high ? low : high - 1);
    uint64_t last = number_entry(table, high - 1);
    uint64_t most = (table->len >> REWRITE_ENTRY_BITS) - 1;
    for (uint64_t n = first; n != last; n = n == most ? 0 : n + 1)
        table->entries[n] = base;
    table->entries[last] = base;
}

uint64_t shard_table_get(const struct shard_table *table, uintptr_t address)
{
    uint64_t number = number_entry(table, address);
    return number < table->len >> REWRITE_ENTRY_BITS ? table->entries[number] : 0;
}

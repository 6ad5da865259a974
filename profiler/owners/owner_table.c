#include "profiler/owners/owner_table.h"

#include <string.h>

#include "base/arena.h"
#include "base/fnv.h"

enum {
    FIRST_LISTS = 1024,
    HELD_BITS = 32
};

struct owner *owner_get(struct owner_table *table, int64_t number)
{
    if (number <= 0 || number > (int64_t)OWNERS_IN_BLOCK * OWNER_BLOCKS_MAX)
        return NULL;
    uint64_t index = (uint64_t)number - 1;
    struct owner *block =
        atomic_load_explicit(&table->blocks[index / OWNERS_IN_BLOCK], memory_order_acquire);
    struct owner *owner = block != NULL ? &block[index % OWNERS_IN_BLOCK] : NULL;
    return owner != NULL && owner->number == number ? owner : NULL;
}

static uint64_t hash_owner(uint32_t site, struct str name)
{
    return fnv_bytes(fnv_word(FNV_START, site), name.text, name.len);
}

static struct owner *find_owner_row(const struct owner_table *table, uint32_t site, struct str name)
{
    struct owner *owner =
        table->by_hash != NULL ? table->by_hash[hash_owner(site, name) & table->mask] : NULL;
    while (owner != NULL && (owner->site != site || !str_eq(owner->name, name)))
        owner = owner->next;
    return owner;
}

static void file_under_hash(struct owner_table *table, struct owner *owner)
{
    struct owner **list = &table->by_hash[hash_owner(owner->site, owner->name) & table->mask];
    owner->next = *list;
    *list = owner;
}

/* As many lists as owners. */
static bool grow_lists(struct owner_table *table, struct arena *arena)
{
    uint32_t lists = table->by_hash != NULL ? 2 * (table->mask + 1) : FIRST_LISTS;
    if (table->by_hash != NULL && table->count <= table->mask)
        return true;
    struct owner **by_hash = ARENA_NEW(arena, struct owner *, lists, NULL);
    if (by_hash == NULL)
        return false;
    table->by_hash = by_hash;
    table->mask = lists - 1;
    for (uint32_t number = 1; number <= table->count; number++) {
        struct owner *owner = owner_get(table, number);
        if (owner != NULL)
            file_under_hash(table, owner);
    }
    return true;
}

static struct owner *new_row(struct owner_table *table, struct arena *arena)
{
    uint32_t block = table->count / OWNERS_IN_BLOCK;
    if (block >= OWNER_BLOCKS_MAX)
        return NULL;
    struct owner *rows = atomic_load_explicit(&table->blocks[block], memory_order_relaxed);
    if (rows == NULL) {
        rows = ARENA_NEW(arena, struct owner, OWNERS_IN_BLOCK, NULL);
        if (rows == NULL)
            return NULL;
        atomic_store_explicit(&table->blocks[block], rows, memory_order_release);
    }
    return &rows[table->count % OWNERS_IN_BLOCK];
}

struct owner *owner_table_add(struct owner_table *table, uint32_t site, struct str name,
                              bool *is_new, struct arena *arena)
{
    struct owner *owner = find_owner_row(table, site, name);
    *is_new = owner == NULL;
    if (owner != NULL)
        return owner;
    struct str kept = {NULL, 0};
    owner = new_row(table, arena);
    if (owner == NULL || !grow_lists(table, arena) || !str_copy(&kept, name, arena, NULL))
        return NULL;
    owner->number = ++table->count;
    owner->site = site;
    owner->name = kept;
    file_under_hash(table, owner);
    return owner;
}

bool owner_hold(struct owner *owner, uint32_t *window)
{
    uint64_t held = atomic_load_explicit(&owner->held, memory_order_acquire);
    do {
        if (held >> HELD_BITS == 0)
            return false;
        *window = (uint32_t)(held >> HELD_BITS) - 1;
    } while (!atomic_compare_exchange_weak_explicit(&owner->held, &held, held + 1,
                                                    memory_order_acq_rel, memory_order_acquire));
    return true;
}

bool owner_let_go(struct owner *owner)
{
    uint64_t held = atomic_fetch_sub_explicit(&owner->held, 1, memory_order_acq_rel);
    return (uint32_t)held == 1;
}

void owner_settle(struct owner_table *table, struct owner *owner, uint32_t window)
{
    table->of_window[window] = owner;
    owner->used = ++table->clock;
    atomic_store_explicit(&owner->held, (uint64_t)(window + 1) << HELD_BITS | 1,
                          memory_order_release);
}

bool owner_unsettle(struct owner *owner, uint32_t *window)
{
    uint64_t held = atomic_load_explicit(&owner->held, memory_order_acquire);
    if (held == 0 || (uint32_t)held != 0)
        return false;
    *window = (uint32_t)(held >> HELD_BITS) - 1;
    return atomic_compare_exchange_strong_explicit(&owner->held, &held, 0, memory_order_acq_rel,
                                                   memory_order_relaxed);
}

void owner_table_free(struct owner_table *table, uint32_t window)
{
    table->of_window[window] = NULL;
}

struct owner *owner_table_oldest(const struct owner_table *table, bool is_over)
{
    struct owner *oldest = NULL;
    for (uint32_t w = 0; w < SHARDS_MAX; w++) {
        struct owner *owner = table->of_window[w];
        if (owner != NULL &&
            (!is_over || atomic_load_explicit(&owner->is_over, memory_order_relaxed)) &&
            (uint32_t)atomic_load_explicit(&owner->held, memory_order_acquire) == 0 &&
            (oldest == NULL || owner->used < oldest->used))
            oldest = owner;
    }
    return oldest;
}

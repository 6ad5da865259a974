#include "profiler/contexts/context_table.h"

#include <string.h>

#include "base/arena.h"
#include "base/fnv.h"

enum {
    FIRST_LISTS = 1024,
    HELD_BITS = 32
};

struct test_context *context_get(struct context_table *table, int64_t number)
{
    if (number <= 0 || number > (int64_t)CONTEXTS_IN_BLOCK * CONTEXT_BLOCKS_MAX)
        return NULL;
    uint64_t index = (uint64_t)number - 1;
    struct test_context *block =
        atomic_load_explicit(&table->blocks[index / CONTEXTS_IN_BLOCK], memory_order_acquire);
    struct test_context *context = block != NULL ? &block[index % CONTEXTS_IN_BLOCK] : NULL;
    return context != NULL && context->number == number ? context : NULL;
}

static uint64_t hash_context(uint32_t site, struct str name)
{
    return fnv_bytes(fnv_word(FNV_START, site), name.text, name.len);
}

static struct test_context *find_context_row(const struct context_table *table, uint32_t site,
                                             struct str name)
{
    struct test_context *context =
        table->by_hash != NULL ? table->by_hash[hash_context(site, name) & table->mask] : NULL;
    while (context != NULL && (context->site != site || !str_eq(context->name, name)))
        context = context->next;
    return context;
}

static void file_under_hash(struct context_table *table, struct test_context *context)
{
    struct test_context **list =
        &table->by_hash[hash_context(context->site, context->name) & table->mask];
    context->next = *list;
    *list = context;
}

/* As many lists as contexts. */
static bool grow_lists(struct context_table *table, struct arena *arena)
{
    uint32_t lists = table->by_hash != NULL ? 2 * (table->mask + 1) : FIRST_LISTS;
    if (table->by_hash != NULL && table->count <= table->mask)
        return true;
    struct test_context **by_hash = ARENA_NEW(arena, struct test_context *, lists, NULL);
    if (by_hash == NULL)
        return false;
    table->by_hash = by_hash;
    table->mask = lists - 1;
    for (uint32_t number = 1; number <= table->count; number++) {
        struct test_context *context = context_get(table, number);
        if (context != NULL)
            file_under_hash(table, context);
    }
    return true;
}

static struct test_context *new_row(struct context_table *table, struct arena *arena)
{
    uint32_t block = table->count / CONTEXTS_IN_BLOCK;
    if (block >= CONTEXT_BLOCKS_MAX)
        return NULL;
    struct test_context *rows = atomic_load_explicit(&table->blocks[block], memory_order_relaxed);
    if (rows == NULL) {
        rows = ARENA_NEW(arena, struct test_context, CONTEXTS_IN_BLOCK, NULL);
        if (rows == NULL)
            return NULL;
        atomic_store_explicit(&table->blocks[block], rows, memory_order_release);
    }
    return &rows[table->count % CONTEXTS_IN_BLOCK];
}

struct test_context *context_table_add(struct context_table *table, uint32_t site, struct str name,
                                       bool *is_new, struct arena *arena)
{
    struct test_context *context = find_context_row(table, site, name);
    *is_new = context == NULL;
    if (context != NULL)
        return context;
    struct str kept = {NULL, 0};
    context = new_row(table, arena);
    if (context == NULL || !grow_lists(table, arena) || !str_copy(&kept, name, arena, NULL))
        return NULL;
    context->number = ++table->count;
    context->site = site;
    context->name = kept;
    file_under_hash(table, context);
    return context;
}

struct test_context *context_rest(struct test_context *context, struct arena *arena)
{
    if (context->rest != NULL)
        return context->rest;
    struct test_context *rest = ARENA_NEW(arena, struct test_context, 1, NULL);
    if (rest == NULL)
        return NULL;
    rest->number = context->number;
    rest->kind = context->kind;
    rest->whole = context;
    atomic_store_explicit(&rest->is_over, true, memory_order_relaxed);
    return context->rest = rest;
}

bool context_hold(struct test_context *context, uint32_t *window)
{
    uint64_t held = atomic_load_explicit(&context->held, memory_order_acquire);
    do {
        if (held >> HELD_BITS == 0)
            return false;
        *window = (uint32_t)(held >> HELD_BITS) - 1;
    } while (!atomic_compare_exchange_weak_explicit(&context->held, &held, held + 1,
                                                    memory_order_acq_rel, memory_order_acquire));
    return true;
}

bool context_let_go(struct test_context *context)
{
    uint64_t held = atomic_fetch_sub_explicit(&context->held, 1, memory_order_acq_rel);
    return (uint32_t)held == 1;
}

void context_settle(struct context_table *table, struct test_context *context, uint32_t window)
{
    table->of_window[window] = context;
    context->used = ++table->clock;
    atomic_store_explicit(&context->held, (uint64_t)(window + 1) << HELD_BITS | 1,
                          memory_order_release);
}

bool context_unsettle(struct test_context *context, uint32_t *window)
{
    uint64_t held = atomic_load_explicit(&context->held, memory_order_acquire);
    if (held == 0 || (uint32_t)held != 0)
        return false;
    *window = (uint32_t)(held >> HELD_BITS) - 1;
    return atomic_compare_exchange_strong_explicit(&context->held, &held, 0, memory_order_acq_rel,
                                                   memory_order_relaxed);
}

void context_table_free(struct context_table *table, uint32_t window)
{
    table->of_window[window] = NULL;
}

struct test_context *context_table_oldest(const struct context_table *table, bool is_over)
{
    struct test_context *oldest = NULL;
    for (uint32_t w = 0; w < SHARDS_MAX; w++) {
        struct test_context *context = table->of_window[w];
        if (context != NULL &&
            (!is_over || atomic_load_explicit(&context->is_over, memory_order_relaxed)) &&
            (uint32_t)atomic_load_explicit(&context->held, memory_order_acquire) == 0 &&
            (oldest == NULL || context->used < oldest->used))
            oldest = context;
    }
    return oldest;
}

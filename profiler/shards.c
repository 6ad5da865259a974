#include "profiler/shards.h"

#include "system/map.h"
#include "system/proc_maps.h"

enum {
    RESERVE_PART = 4 /* of the room at the start one in so many is for modules, not for shards */
};

/* --- room ------------------------------------------------------------------------------------- */

uint64_t shards_room_to_spend(const struct profiler *p)
{
    uint64_t room = counter_file_room(&p->folder);
    return room > p->shards.reserve ? room - p->shards.reserve : 0;
}

uint32_t shards_for_module(const struct profiler *p, size_t stride)
{
    return counter_file_shards(stride, p->shards.count, shards_room_to_spend(p));
}

static uint32_t count_sharded(const struct profiler *p)
{
    uint32_t count = 0;
    for (const struct counted_place *place = p->places; place != NULL; place = place->next)
        count += place->sharded;
    return count;
}

/* Takes one more shard, in all modules. What a failure leaves mapped is used by the next try; where
 * a mapping failed there is none. */
static bool take_shard(struct profiler *p)
{
    struct shards *shards = &p->shards;
    uint32_t modules = count_sharded(p);
    if (shards->count >= shards->limit || !windows_allow(&p->windows, modules))
        return false;
    uint64_t room = modules != 0 ? shards_room_to_spend(p) : 0;
    for (struct counted_place *place = p->places; place != NULL; place = place->next) {
        struct err err = {.code = ERR_NONE};
        if (!place->sharded || place->file.window_count > shards->count)
            continue;
        uint32_t before = place->file.shard_count;
        if (!counter_file_add_window(&place->file, &p->folder, room, &err)) {
            if (err.code == ERR_MEMORY)
                shards->limit = shards->count;
            return false;
        }
        windows_add_mappings(&p->windows, 1);
        if (place->file.shard_count > before)
            room -= place->file.stride;
    }
    shards->count++;
    return true;
}

/* --- threads ---------------------------------------------------------------------------------- */

static uint32_t least_used(const struct shards *shards)
{
    uint32_t best = 0;
    for (uint32_t s = 1; s < shards->count && shards->users[best] != 0; s++)
        if (shards->users[s] < shards->users[best])
            best = s;
    return best;
}

static uint32_t choose_shard(struct profiler *p)
{
    uint32_t shard = least_used(&p->shards);
    if (p->shards.users[shard] != 0 && take_shard(p))
        return p->shards.count - 1;
    return shard;
}

/* By its name; or one that was there before us, by its stack. */
static struct shard_thread *find_thread(const struct shards *shards, ThreadID id,
                                        const struct thread_stack *stack)
{
    struct shard_thread *thread = shards->threads;
    while (thread != NULL && !(thread->high != 0 && thread->id == id && id != 0) &&
           !(stack != NULL && thread->id == 0 && thread->high == stack->high))
        thread = thread->next;
    return thread;
}

static struct shard_thread *new_thread(struct profiler *p)
{
    struct shard_thread *thread = p->shards.threads;
    while (thread != NULL && thread->high != 0)
        thread = thread->next;
    if (thread != NULL)
        return thread;
    thread = ARENA_NEW(&p->arena, struct shard_thread, 1, NULL);
    if (thread != NULL) {
        thread->next = p->shards.threads;
        p->shards.threads = thread;
    }
    return thread;
}

/* A stack that is not in the table, or not any more, counts in a shard that is there in any
 * case. */
static void meet(struct profiler *p, ThreadID id, struct thread_stack stack)
{
    struct shard_thread *thread = find_thread(&p->shards, id, &stack);
    bool is_new = thread == NULL;
    if (is_new) {
        thread = new_thread(p);
        if (thread == NULL)
            return;
        thread->shard = choose_shard(p);
    }
    if (!shard_table_set(&p->shards.table, stack, (uint64_t)thread->shard << WINDOW_BITS)) {
        if (is_new)
            thread->high = 0;
        return;
    }
    if (is_new)
        p->shards.users[thread->shard]++;
    thread->id = id;
    thread->high = stack.high;
}

void shards_meet_thread(struct profiler *p, ThreadID id)
{
    struct thread_stack stack;
    if (p->shards.limit <= 1 || !thread_stack_find(&stack))
        return;
    (void)pthread_mutex_lock(&p->layout_lock);
    meet(p, id, stack);
    (void)pthread_mutex_unlock(&p->layout_lock);
}

/* The entries stay: whoever has the stack next writes them anew before its code runs. */
void shards_lose_thread(struct profiler *p, ThreadID id)
{
    if (p->shards.limit <= 1)
        return;
    (void)pthread_mutex_lock(&p->layout_lock);
    struct shard_thread *thread = find_thread(&p->shards, id, NULL);
    if (thread != NULL) {
        p->shards.users[thread->shard]--;
        thread->high = 0;
        thread->id = 0;
    }
    (void)pthread_mutex_unlock(&p->layout_lock);
}

/* --- start ------------------------------------------------------------------------------------ */

/* A stack that met us first keeps its shard. */
static bool meet_stranger(void *context, uintptr_t low, uintptr_t high)
{
    struct profiler *p = context;
    uintptr_t base = shard_table_get(&p->shards.table, high - 1);
    bool known = base != 0;
    for (const struct shard_thread *thread = p->shards.threads; thread != NULL && !known;
         thread = thread->next)
        known = thread->high == high;
    if (!known)
        meet(p, 0, (struct thread_stack){low, high});
    return true;
}

void shards_meet_strangers(struct profiler *p)
{
    if (p->shards.limit <= 1)
        return;
    (void)pthread_mutex_lock(&p->layout_lock);
    (void)proc_maps_visit_stacks(PROC_SELF, meet_stranger, p);
    (void)pthread_mutex_unlock(&p->layout_lock);
}

void shards_open(struct profiler *p)
{
    uint64_t room = counter_file_room(&p->folder);
    bool limited = map_address_space_left() != UINT64_MAX;
    p->shards.reserve = room / RESERVE_PART;
    p->shards.count = 1;
    p->shards.limit = 1;
    if (p->mode != MODE_EXACT && shard_table_open(&p->shards.table, limited))
        p->shards.limit = p->windows.shard_count;
    if (!p->attached)
        shards_meet_thread(p, 0);
}

void shards_close(struct profiler *p)
{
    p->shards.limit = 1;
    shard_table_close(&p->shards.table);
}

#include "profiler/shards.h"

#include <stdio.h>

#include "system/memory.h"
#include "system/process.h"
#include "system/process_maps.h"
#include "system/trace.h"

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
    return counter_file_shards(stride, p->shards.count, shards_room_to_spend(p),
                               p->contexts != NULL);
}

static uint32_t count_sharded(const struct profiler *p)
{
    uint32_t count = 0;
    for (const struct counter_block *place = p->places; place != NULL; place = place->next)
        count += place->sharded;
    return count;
}

/* Takes one more shard, in all modules. What a failure leaves mapped is used by the next try; where
 * a mapping failed there is none. Returns why it could not be taken. */
static enum reason_code take_shard(struct profiler *p, struct err *err)
{
    struct shards *shards = &p->shards;
    uint32_t modules = count_sharded(p);
    if (shards->count >= shards->limit)
        return shards->limit_reason;
    if (!windows_allow(&p->windows, modules))
        return REASON_MANY_MAPPINGS;
    uint64_t room = modules != 0 ? shards_room_to_spend(p) : 0;
    for (struct counter_block *place = p->places; place != NULL; place = place->next) {
        if (!place->sharded || place->file.window_count > shards->count)
            continue;
        uint32_t before = place->file.shard_count;
        if (!counter_file_add_window(&place->file, &p->folder, room, err)) {
            if (err->code != ERR_MEMORY)
                return REASON_ERROR;
            shards->limit = shards->count;
            shards->limit_reason = REASON_MANY_MAPPINGS;
            return shards->limit_reason;
        }
        windows_add_mappings(&p->windows, 1);
        if (place->file.shard_count > before)
            room -= place->file.stride;
        else
            shards->may_share = shards->has_shared = true;
    }
    shards->count++;
    return REASON_NONE;
}

/* --- sharing ---------------------------------------------------------------------------------- */

/* Only totals can fall short, and only where a probe adds without a lock. */
static bool is_sharing_worth_telling(const struct profiler *p)
{
    return p->mode == MODE_COUNT;
}

static uint64_t bit_of(enum reason_code reason)
{
    return UINT64_C(1) << reason;
}

/* While no module counts, it does not matter, and waits until one does. */
static void tell_of_sharing(struct profiler *p, enum reason_code reason, const struct err *err)
{
    struct shards *shards = &p->shards;
    char number[16];
    if (!is_sharing_worth_telling(p) || (shards->reported & bit_of(reason)) != 0)
        return;
    if (p->places == NULL) {
        shards->unreported |= bit_of(reason);
        return;
    }
    uint32_t most = reason == REASON_MANY_MODULES ? SHARDED_MODULES_MAX : shards->limit;
    bool has_number = reason == REASON_MANY_THREADS || reason == REASON_MANY_MODULES;
    (void)snprintf(number, sizeof number, "%u", most);
    shards->reported |= bit_of(reason);
    record_reason(&p->record, "sharing", NULL, 0, reason,
                  has_number    ? str_of(number)
                  : err != NULL ? str_of(err->text)
                                : STR(""));
}

static void tell_of_place(struct profiler *p, enum reason_code reason,
                          const struct counter_block *place)
{
    if (reason == REASON_MANY_COUNTERS || reason == REASON_TAIL_CALLS)
        record_reason(&p->record, "sharing", NULL, 0, reason, place->name);
    else
        tell_of_sharing(p, reason, NULL);
}

/* Why a living thread has no counters of its own in this place; REASON_NONE if each has. */
static enum reason_code shortage_of(const struct shards *shards, const struct counter_block *place)
{
    bool seen[SHARDS_MAX] = {false};
    if (place->file.head == NULL) /* its counts are lost, which was reported */
        return REASON_NONE;
    if (!place->sharded)
        return shards->living > 1 ? place->shortage : REASON_NONE;
    for (uint32_t w = 0; w < place->file.window_count; w++) {
        if (shards->users[w] == 0)
            continue;
        if (seen[place->file.shown[w]])
            return counter_file_is_full(&place->file) ? REASON_MANY_COUNTERS
                                                      : REASON_NO_ROOM_FOR_THREADS;
        seen[place->file.shown[w]] = true;
    }
    return shards->living > 1 ? place->shortage : REASON_NONE;
}

static bool may_share(const struct counter_block *place)
{
    if (place->shortage != REASON_NONE)
        return true;
    return place->sharded && place->file.shard_count < place->file.window_count;
}

/* True if there may be something to tell later. */
static bool watch_place(struct profiler *p, struct counter_block *place)
{
    if (place->is_sharing_reported || !may_share(place))
        return false;
    enum reason_code reason = shortage_of(&p->shards, place);
    if (reason == REASON_NONE)
        return true;
    tell_of_place(p, reason, place);
    place->is_sharing_reported = true;
    return false;
}

void shards_watch(struct profiler *p, struct counter_block *place)
{
    if (!is_sharing_worth_telling(p))
        return;
    for (uint64_t unreported = p->shards.unreported; unreported != 0; unreported &= unreported - 1)
        tell_of_sharing(p, (enum reason_code)__builtin_ctzll(unreported), NULL);
    p->shards.unreported = 0;
    if (watch_place(p, place))
        p->shards.may_share = true;
}

/* A thread more may be one too many. */
static void watch_all(struct profiler *p)
{
    if (!p->shards.may_share || !is_sharing_worth_telling(p))
        return;
    p->shards.may_share = false;
    for (struct counter_block *place = p->places; place != NULL; place = place->next)
        if (watch_place(p, place))
            p->shards.may_share = true;
}

/* --- threads ---------------------------------------------------------------------------------- */

static uint32_t least_used(const struct shards *shards)
{
    uint32_t best = 0;
    for (uint32_t s = 1; s < shards->count && shards->users[best] != 0; s++)
        if (shards->role[s] == SHARD_OF_THREAD && shards->users[s] < shards->users[best])
            best = s;
    return best;
}

uint32_t shards_count(const struct shards *shards, enum shard_role role)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < shards->count; s++)
        count += shards->role[s] == role;
    return count;
}

bool shards_take_for(struct profiler *p, enum shard_role role, uint32_t *shard)
{
    struct err err = {.code = ERR_NONE};
    struct shards *shards = &p->shards;
    if (shards_count(shards, role) >= SHARDS_OF_CONTEXTS_MAX || take_shard(p, &err) != REASON_NONE)
        return false;
    *shard = shards->count - 1;
    shards->role[*shard] = (uint8_t)role;
    return true;
}

static uint32_t choose_shard(struct profiler *p)
{
    struct err err = {.code = ERR_NONE};
    uint32_t shard = least_used(&p->shards);
    if (p->shards.users[shard] == 0 ||
        (p->contexts != NULL &&
         shards_count(&p->shards, SHARD_OF_THREAD) >= SHARDS_OF_THREADS_LEAST))
        return shard;
    enum reason_code reason = take_shard(p, &err);
    if (reason == REASON_NONE)
        return p->shards.count - 1;
    tell_of_sharing(p, reason, reason == REASON_ERROR ? &err : NULL);
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
 * case. Returns the thread's row; NULL if it got none. */
static struct shard_thread *meet_stack(struct profiler *p, ThreadID id, struct thread_stack stack)
{
    struct shard_thread *thread = find_thread(&p->shards, id, &stack);
    bool is_new = thread == NULL;
    if (is_new) {
        thread = new_thread(p);
        if (thread == NULL) {
            tell_of_sharing(p, REASON_UNKNOWN_THREAD, NULL);
            return NULL;
        }
        thread->shard = choose_shard(p);
        trace("thread %llx: shard %u of %u", (unsigned long long)id, thread->shard,
              p->shards.count);
    }
    if (p->shards.table.entries != NULL &&
        !shard_table_set(&p->shards.table, stack, (uint64_t)thread->shard << WINDOW_BITS)) {
        tell_of_sharing(p, REASON_UNKNOWN_THREAD, NULL);
        if (is_new)
            thread->high = 0;
        return is_new ? NULL : thread;
    }
    thread->id = id;
    thread->low = stack.low;
    thread->high = stack.high;
    thread->flow.window = thread->shard;
    if (!is_new)
        return thread;
    p->shards.users[thread->shard]++;
    p->shards.living++;
    watch_all(p);
    return thread;
}

void shards_meet_thread(struct profiler *p, ThreadID id)
{
    struct thread_stack stack;
    if (p->mode == MODE_EXACT)
        return;
    bool is_found = thread_stack_find(&stack);
    mutex_lock(&p->layout_lock);
    if (is_found)
        thread_slot_set(&p->shards.own_thread, meet_stack(p, id, stack));
    else
        tell_of_sharing(p, REASON_UNKNOWN_THREAD, NULL);
    mutex_unlock(&p->layout_lock);
}

/* The entries stay: whoever has the stack next writes them anew before its code runs. */
void shards_lose_thread(struct profiler *p, ThreadID id, lose_function *lose)
{
    if (p->mode == MODE_EXACT)
        return;
    mutex_lock(&p->layout_lock);
    struct shard_thread *thread = find_thread(&p->shards, id, NULL);
    if (thread != NULL) {
        lose(p, &thread->flow);
        p->shards.users[thread->shard]--;
        p->shards.living--;
        thread->high = 0;
        thread->id = 0;
    }
    mutex_unlock(&p->layout_lock);
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
        (void)meet_stack(p, 0, (struct thread_stack){low, high});
    return true;
}

void shards_meet_strangers(struct profiler *p)
{
    if (p->shards.limit <= 1)
        return;
    mutex_lock(&p->layout_lock);
    (void)process_maps_visit_stacks(PROCESS_SELF, meet_stranger, p);
    mutex_unlock(&p->layout_lock);
}

void shards_open(struct profiler *p)
{
    uint64_t room = counter_file_room(&p->folder);
    bool limited = map_address_space_left() != UINT64_MAX;
    p->shards.reserve = room / RESERVE_PART;
    p->shards.count = 1;
    p->shards.limit = 1;
    p->shards.limit_reason = REASON_FEW_ADDRESSES;
    if (p->mode != MODE_EXACT && p->windows.shard_count > 1 &&
        shard_table_open(&p->shards.table, limited))
        p->shards.limit = p->windows.shard_count;
    if (p->shards.limit == SHARDS_MAX)
        p->shards.limit_reason = REASON_MANY_THREADS;
    if (!p->attached)
        shards_meet_thread(p, 0);
}

void shards_close(struct profiler *p)
{
    p->shards.limit = 1;
    shard_table_close(&p->shards.table);
}

#include "profiler/owners.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/utf16.h"
#include "profiler/shards.h"
#include "rewriter/owner_code.h"
#include "system/clock.h"
#include "system/file/file_status.h"
#include "system/file/file_write.h"
#include "system/file/open_file.h"
#include "system/map.h"
#include "system/process/process_self.h"
#include "system/process/process_stat.h"

enum {
    NAME_UNITS_MAX = 1024,
    FIRST_SITES = 256,
    WINDOWS_ENOUGH = 16, /* then what is over makes room before more memory is taken */
};

/* --- the log ---------------------------------------------------------------------------------- */

/* One write, which is there as a whole or not at all, unless the file system fills up. */
static bool append(struct profiler *p, struct view lines)
{
    struct owners *o = p->owners;
    struct file_status status;
    int kept = kept_fd(&o->log_file), fd = kept;
    if (lines.len == 0)
        return true;
    if (fd < 0)
        fd = folder_file(&p->folder, o->log_name, FILE_APPEND);
    int64_t written = -1;
    if (fd >= 0 && !o->is_log_broken && file_status_open(&status, fd) &&
        file_length_allowed(status.size + lines.len))
        written = file_write_parts(fd, &lines, 1);
    if (fd != kept)
        (void)file_close(fd);
    o->is_log_broken |= written > 0 && (size_t)written < lines.len;
    return written == (int64_t)lines.len;
}

static void tell_of_loss(struct profiler *p, const char *why)
{
    struct owners *o = p->owners;
    if (!o->is_short_told)
        record_trouble(&p->record, "which test hits what is not known of all tests: %s", why);
    o->is_short_told = true;
}

static bool write_log(struct profiler *p)
{
    struct hit_log *log = &p->owners->log;
    bool failed = log->lines.failed || log->hits.failed;
    bool written = !failed && append(p, hit_log_lines(log));
    hit_log_written(log);
    if (written)
        return true;
    p->owners->is_log_broken = true; /* later lines would refer to those that are lost */
    tell_of_loss(p, "there is no memory, or no room in the session, to write it down");
    return false;
}

/* --- what has no room ------------------------------------------------------------------------- */

/* Does each window show a shard of its own? */
static bool has_own_shards(const struct counted_place *place)
{
    for (uint32_t w = 0; w < place->file.window_count; w++)
        if (place->file.shown[w] != w)
            return false;
    return true;
}

/* From then on its shards count for nobody. */
static void give_up_place(struct profiler *p, struct counted_place *place)
{
    hit_log_unsure(&p->owners->log, place->log_number);
    place->log_number = 0;
    record_trouble(&p->record,
                   "which test hits %.*s is not known: there is no room for more counters",
                   STR_ARGS(place->name));
}

/* Under the layout lock. */
static void watch_places(struct profiler *p)
{
    if (!p->shards.has_shared)
        return;
    for (struct counted_place *place = p->places; place != NULL; place = place->next)
        if (place->log_number != 0 && !has_own_shards(place))
            give_up_place(p, place);
}

void owners_finish(struct profiler *p)
{
    if (p->owners == NULL)
        return;
    mutex_lock(&p->layout_lock);
    watch_places(p);
    (void)write_log(p);
    mutex_unlock(&p->layout_lock);
}

/* --- an owner loses its window ---------------------------------------------------------------- */

static uint8_t *counters_in(const struct counted_place *place, uint32_t window)
{
    return place->file.place + ((size_t)window << WINDOW_BITS);
}

static bool is_told_apart(const struct counted_place *place, uint32_t window)
{
    return place->log_number != 0 && place->sharded && window < place->file.window_count;
}

/* The method that the counter belongs to: the last whose first one is at most that. */
static uint32_t method_of(const struct counted_place *place, uint32_t counter)
{
    uint32_t low = 0, high = place->method_count; /* the answer is in [low, high) */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (place->methods[middle].first_counter <= counter)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The next word that is not 0; `count` if there is none. Most are. */
static size_t next_hit(const uint64_t *words, size_t at, size_t count)
{
    while (at + 8 <= count && (words[at] | words[at + 1] | words[at + 2] | words[at + 3] |
                               words[at + 4] | words[at + 5] | words[at + 6] | words[at + 7]) == 0)
        at += 8;
    while (at < count && words[at] == 0)
        at++;
    return at;
}

/* Whole words: a shard is whole pages. */
static size_t words_of(const struct counted_place *place)
{
    return (place->counter_count * mode_counter_size(place->mode) + sizeof(uint64_t) - 1) /
           sizeof(uint64_t);
}

static bool log_place(struct profiler *p, const struct counted_place *place, uint32_t window)
{
    size_t size = mode_counter_size(place->mode), count = words_of(place);
    const uint8_t *counters = counters_in(place, window);
    const uint64_t *words = (const uint64_t *)(const void *)counters;
    for (size_t at = 0; at < place->counter_count * size;) {
        if (at % sizeof *words == 0)
            at = next_hit(words, at / sizeof *words, count) * sizeof *words;
        while (at < place->counter_count * size && size == 1 && counters[at] == 0)
            at++;
        if (at >= place->counter_count * size)
            break;
        uint32_t method = method_of(place, (uint32_t)(at / size));
        const struct placed_method *hit = &place->methods[method];
        if (!hit_log_method(&p->owners->log, place->log_number, method + 1,
                            counters + hit->first_counter * size, hit->counter_count, size))
            return false;
        at = (hit->first_counter + hit->counter_count) * size;
        for (; at % sizeof *words != 0 && at < place->counter_count * size && counters[at] == 0;)
            at += size;
    }
    return true;
}

static void keep(const struct counted_place *place, uint32_t window, uint32_t kept)
{
    bool is_byte = mode_counter_size(place->mode) == 1;
    size_t count = words_of(place);
    uint64_t *from = (uint64_t *)(void *)counters_in(place, window);
    uint64_t *to = (uint64_t *)(void *)counters_in(place, kept);
    for (size_t i = next_hit(from, 0, count); i < count; i = next_hit(from, i, count)) {
        to[i] = is_byte ? to[i] | from[i] : to[i] + from[i];
        from[i] = 0;
    }
}

/* Its hits go to the log and to the kept shard. If the log can't take them, they stay where they
 * are, and so does the owner. */
static bool write_down(struct profiler *p, struct owner *owner, uint32_t window)
{
    struct owners *o = p->owners;
    bool told = true;
    watch_places(p);
    for (const struct counted_place *place = p->places; place != NULL && told; place = place->next)
        if (is_told_apart(place, window))
            told = log_place(p, place, window);
    hit_log_hits(&o->log, owner->number);
    if (!write_log(p) || !told)
        return false;
    for (const struct counted_place *place = p->places; place != NULL; place = place->next)
        if (is_told_apart(place, window))
            keep(place, window, o->kept);
    return true;
}

/* Under the layout lock. */
static bool take_away(struct profiler *p, struct owner *owner)
{
    struct owners *o = p->owners;
    uint32_t window = 0;
    if (owner == NULL || !owner_unsettle(owner, &window))
        return false;
    if (!write_down(p, owner, window)) {
        owner_settle(&o->table, owner, window);
        return false; /* held for ever: what else it hits is its own */
    }
    __atomic_store_n(&o->of_window[window], 0, __ATOMIC_RELEASE);
    owner_table_free(&o->table, window);
    p->shards.users[window] = 0;
    return true;
}

/* A class will run again, for the next test. */
static void take_away_idle(void *context, struct owner *owner)
{
    struct profiler *p = context;
    if (owner->kind != OWNER_TEST)
        return;
    mutex_lock(&p->layout_lock);
    (void)take_away(p, owner);
    mutex_unlock(&p->layout_lock);
}

/* --- an owner gets a window ------------------------------------------------------------------- */

static bool find_free(const struct profiler *p, uint32_t *window)
{
    for (uint32_t w = 0; w < p->shards.count; w++) {
        if (p->shards.role[w] == SHARD_OF_OWNER && p->shards.users[w] == 0) {
            *window = w;
            return true;
        }
    }
    return false;
}

static uint32_t shards_of_owners(const struct profiler *p)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < p->shards.count; w++)
        count += p->shards.role[w] == SHARD_OF_OWNER;
    return count;
}

/* Where the owner counts from now on, and holds it. False if there is no window. */
static bool settle(struct profiler *p, struct owner *owner, uint32_t *window)
{
    struct owners *o = p->owners;
    mutex_lock(&p->layout_lock);
    bool held = owner_hold(owner, window);
    if (!held) {
        held = find_free(p, window) ||
               (shards_of_owners(p) >= WINDOWS_ENOUGH &&
                take_away(p, owner_table_oldest(&o->table, true)) && find_free(p, window)) ||
               shards_take_for(p, SHARD_OF_OWNER, window) ||
               (take_away(p, owner_table_oldest(&o->table, false)) && find_free(p, window));
        if (held) {
            p->shards.users[*window] = 1;
            __atomic_store_n(&o->of_window[*window], owner->number, __ATOMIC_RELEASE);
            owner_settle(&o->table, owner, *window);
        } else {
            tell_of_loss(
                p, "too many of them had code on the stacks of threads at once, or there is no "
                   "room for more counters");
        }
    }
    mutex_unlock(&p->layout_lock);
    return held;
}

void owners_switch_to(int64_t number)
{
    struct profiler *p = &g_profiler;
    struct shard_thread *thread = thread_slot_get(&g_profiler.shards.own_thread);
    uintptr_t at = (uintptr_t)__builtin_frame_address(0);
    if (thread == NULL)
        return;
    struct thread_flow *flow = &thread->flow;
    struct owner *owner = owner_get(&p->owners->table, number);
    uint32_t window = thread->shard;
    thread_flow_unwind(flow, at, take_away_idle, p);
    flow->current = owner;
    bool is_held = owner != NULL && (owner_hold(owner, &window) || settle(p, owner, &window));
    if (owner != NULL && owner == flow->entering)
        thread_flow_enter(flow, owner, is_held);
    else if (is_held)
        thread_flow_push(flow, owner, at);
    flow->entering = NULL;
    if (window == flow->window)
        return;
    flow->window = window;
    shard_table_change(&p->shards.table, thread->low, thread->high,
                       (uint64_t)window << WINDOW_BITS);
}

/* --- enclosed methods ------------------------------------------------------------------------- */

static struct owner *find_owner(struct profiler *p, uint32_t site, struct str name)
{
    struct owners *o = p->owners;
    const struct owner_site *of = &o->sites[site - 1];
    bool is_new = false;
    struct owner *owner = owner_table_add(&o->table, site, name, &is_new, &p->arena);
    if (owner == NULL || (!is_new && owner->is_told))
        return owner;
    owner->kind = of->kind;
    owner->leaves_early = of->leaves_early;
    hit_log_owner(&o->log, owner, of->mvid, of->rid);
    owner->is_told = write_log(p);
    return owner->is_told ? owner : NULL;
}

int64_t owners_entered(int32_t site, const uint16_t *units, int32_t len)
{
    struct profiler *p = &g_profiler;
    struct owners *o = p->owners;
    struct shard_thread *thread = thread_slot_get(&g_profiler.shards.own_thread);
    char name[NAME_UNITS_MAX * 3];
    size_t name_len = 0;
    if (thread == NULL || site <= 0)
        return 0;
    const struct owner *now = thread->flow.current;
    if (units != NULL && len > 0)
        name_len = utf16_to_utf8(name, sizeof name, units,
                                 (size_t)(len < NAME_UNITS_MAX ? len : NAME_UNITS_MAX));
    mutex_lock(&p->layout_lock);
    struct owner *owner = NULL;
    if ((uint32_t)site <= o->site_count &&
        (now == NULL || (now->kind != OWNER_TEST && o->sites[site - 1].kind == OWNER_TEST)))
        owner = find_owner(p, (uint32_t)site, (struct str){name, name_len});
    if (owner != NULL) {
        atomic_store_explicit(&owner->is_over, false, memory_order_relaxed);
        if (owner->running++ == 0)
            owner->started = clock_ns();
    }
    mutex_unlock(&p->layout_lock);
    /* what leaves early has no base to keep (profiler/method.c) */
    thread->flow.entering = owner != NULL && !owner->leaves_early ? owner : NULL;
    return owner != NULL ? owner->number : 0;
}

/* The method that is enclosed returns, if only to whoever awaits the rest of it. */
int64_t owners_left(void)
{
    struct shard_thread *thread = thread_slot_get(&g_profiler.shards.own_thread);
    if (thread == NULL)
        return 0;
    const struct owner *now = thread->flow.current;
    const struct owner *owner =
        now != NULL && now->leaves_early ? now : thread_flow_return(&thread->flow);
    return owner != NULL ? owner->number : 0;
}

void owners_ended(int64_t number, int32_t how)
{
    struct profiler *p = &g_profiler;
    struct owner *owner = owner_get(&p->owners->table, number);
    if (owner == NULL)
        return;
    mutex_lock(&p->layout_lock);
    owner->threw |= how == HITS_THREW;
    owner->is_unknown |= how == HITS_UNKNOWN;
    owner->rows++;
    if (owner->running != 0 && --owner->running == 0) {
        hit_log_over(&p->owners->log, owner, clock_ns() - owner->started);
        owner->rows = 0;
        owner->threw = owner->is_unknown = false;
        atomic_store_explicit(&owner->is_over, true, memory_order_relaxed);
    }
    mutex_unlock(&p->layout_lock);
}

int64_t owners_entered_static(int32_t site)
{
    struct profiler *p = &g_profiler;
    struct shard_thread *thread = thread_slot_get(&g_profiler.shards.own_thread);
    if (thread == NULL || site <= 0 || (uint32_t)site > p->owners->site_count)
        return OWNER_UNCHANGED;
    const struct owner *now = thread->flow.current;
    mutex_lock(&p->layout_lock);
    struct owner *owner = find_owner(p, (uint32_t)site, STR(""));
    mutex_unlock(&p->layout_lock);
    if (owner == NULL)
        return OWNER_UNCHANGED;
    thread->flow.entering = owner;
    owners_switch_to(owner->number);
    return now != NULL ? now->number : 0;
}

void owners_left_static(int64_t previous)
{
    struct shard_thread *thread = thread_slot_get(&g_profiler.shards.own_thread);
    if (thread == NULL || previous == OWNER_UNCHANGED)
        return;
    struct owner *owner = thread_flow_return(&thread->flow);
    if (owner != NULL)
        atomic_store_explicit(&owner->is_over, true, memory_order_relaxed);
    owners_switch_to(previous);
}

/* The first one is it. */
void owners_offer(uintptr_t handle)
{
    uintptr_t none = 0;
    (void)__atomic_compare_exchange_n(&g_profiler.owners->handle, &none, handle, false,
                                      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* --- what the library meets ------------------------------------------------------------------- */

uint32_t owners_add_site(struct profiler *p, const struct owner_site *site)
{
    struct owners *o = p->owners;
    if (o->site_count == o->site_room) {
        uint32_t room = o->site_room != 0 ? 2 * o->site_room : FIRST_SITES;
        struct owner_site *sites = arena_raw(&p->arena, room, sizeof *sites, NULL);
        if (sites == NULL)
            return 0;
        if (o->site_count != 0)
            memcpy(sites, o->sites, o->site_count * sizeof *sites);
        o->sites = sites;
        o->site_room = room;
    }
    o->sites[o->site_count++] = *site;
    return o->site_count;
}

void owners_meet_place(struct profiler *p, struct counted_place *place)
{
    if (!place->sharded || place->file.head == NULL) {
        record_trouble(&p->record, "which test hits %.*s is not known: %s", STR_ARGS(place->name),
                       place->may_change ? "hot reload may change it"
                                         : "there is no room for counters of each");
        return;
    }
    place->log_number = hit_log_place(&p->owners->log, str_of(place->file.name));
    if (!has_own_shards(place))
        give_up_place(p, place);
    (void)write_log(p);
}

static bool open_files(struct profiler *p)
{
    struct owners *o = p->owners;
    struct process_stat self;
    char name[64];
    size_t len = map_whole(SHARDS_MAX * sizeof *o->of_window);
    (void)!process_stat_read(&self, PROCESS_SELF);
    (void)snprintf(o->log_name, sizeof o->log_name, SESSION_HITS "%d-%llu", process_self(),
                   self.start_ticks);
    (void)snprintf(name, sizeof name, SESSION_OWNERS "%d-%llu", process_self(), self.start_ticks);
    kept_open(&o->log_file, folder_file(&p->folder, o->log_name, FILE_APPEND | FILE_MAKE));
    int fd = folder_file(&p->folder, name, FILE_READ | FILE_WRITE | FILE_MAKE);
    if (fd >= 0 && file_length_allowed(len) && file_reserve(fd, 0, len))
        o->of_window = (uint32_t *)(void *)map_shared(fd, len);
    (void)file_close(fd);
    return kept_fd(&o->log_file) >= 0 && o->of_window != NULL;
}

void owners_open(struct profiler *p)
{
    struct owners *o = calloc(1, sizeof *o);
    p->owners = o;
    if (o != NULL && p->shards.table.entries != NULL) {
        arena_init(&o->log.arena, NULL, 0, ARENA_NO_LIMIT);
        hit_log_began(&o->log, time(NULL));
        if (thread_slot_open(&p->shards.own_thread) && open_files(p) &&
            shards_take_for(p, SHARD_OF_KEPT, &o->kept)) {
            o->of_window[o->kept] = OWNER_OF_KEPT;
            shards_meet_thread(p, 0); /* again, to have its row in the slot */
            return;
        }
    }
    p->owners = NULL;
    free(o);
    record_trouble(&p->record, "hits are not told apart by test: there is no room for that");
}

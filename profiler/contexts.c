#include "profiler/contexts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/asset.h"
#include "base/path.h"
#include "base/utf16.h"
#include "profiler/shards.h"
#include "profiler/window_hits.h"
#include "rewriter/test_hook.h"
#include "system/clock.h"
#include "system/file.h"
#include "system/memory.h"
#include "system/process.h"
#include "system/process_status.h"

enum {
    NAME_UNITS_MAX = 1024,
    FIRST_SITES = 256,
    LATE_NS = 200 * 1000 * 1000,  /* a thread may be as late as that without a cause */
    POOL_NS = 1000 * 1000 * 1000, /* threads of pools rest for longer before they end */
    WINDOWS_ENOUGH = 16,          /* then what is over makes room before more memory is taken */
    START_REST_MS = 1,
    START_RESTS_MAX = 5000,
};

/* --- the log ---------------------------------------------------------------------------------- */

static bool append_lines(struct profiler *p, struct view lines)
{
    struct test_contexts *o = p->contexts;
    if (lines.len == 0)
        return true;
    int64_t written =
        o->is_log_broken ? -1 : folder_append(&p->folder, &o->log_file, o->log_name, &lines, 1);
    o->is_log_broken |= written > 0 && (size_t)written < lines.len;
    return written == (int64_t)lines.len;
}

static void tell_of_loss(struct profiler *p, const char *why)
{
    struct test_contexts *o = p->contexts;
    if (!o->is_short_reported)
        record_warning(&p->record, "hits of some tests are not attributed to them: %s", why);
    o->is_short_reported = true;
}

static bool write_hit_log(struct profiler *p)
{
    struct hit_log *log = &p->contexts->log;
    bool failed = log->lines.failed || log->hits.failed;
    bool written = !failed && append_lines(p, hit_log_lines(log));
    hit_log_written(log);
    if (written)
        return true;
    p->contexts->is_log_broken = true; /* later lines would refer to those that are lost */
    tell_of_loss(p, "there is no memory, or no room in the session, to record them");
    return false;
}

/* --- what has no room ------------------------------------------------------------------------- */

/* Does each window show a shard of its own? */
static bool has_own_shards(const struct counter_block *place)
{
    for (uint32_t w = 0; w < place->file.window_count; w++)
        if (place->file.shown[w] != w)
            return false;
    return true;
}

/* From then on its shards count for nobody. */
static void give_up_place(struct profiler *p, struct counter_block *place)
{
    hit_log_unsure(&p->contexts->log, place->log_number);
    place->log_number = 0;
    record_warning(&p->record,
                   "hits in %.*s are not attributed to tests: there is no room for more counters",
                   STR_ARGS(place->name));
}

/* Under the layout lock. */
static void watch_places(struct profiler *p)
{
    if (!p->shards.has_shared)
        return;
    for (struct counter_block *place = p->places; place != NULL; place = place->next)
        if (place->log_number != 0 && !has_own_shards(place))
            give_up_place(p, place);
}

/* --- a context loses its window --------------------------------------------------------------- */

/* Has another test begun since the context was over? */
static bool is_outliving(const struct profiler *p, const struct test_context *context)
{
    return atomic_load_explicit(&context->is_over, memory_order_relaxed) &&
           context->tests_before != p->contexts->tests_begun;
}

/* Code of a test runs after its end: for whom it ran, and what it had prepared before, nobody can
 * know. */
static void note_outliving(struct profiler *p, struct test_context *context)
{
    if (context->kind != CONTEXT_TEST || context->outlives || !is_outliving(p, context))
        return;
    context->outlives = true;
    hit_log_outlives(&p->contexts->log, context);
}

/* Its hits go to the log and to the kept shard. If the log can't take them, they stay where they
 * are, and so does the context. */
static bool write_down(struct profiler *p, struct test_context *context, uint32_t window)
{
    struct test_contexts *o = p->contexts;
    bool reported = true;
    watch_places(p);
    for (const struct counter_block *place = p->places; place != NULL && reported;
         place = place->next)
        if (window_is_told_apart(place, window))
            reported = window_hits_log(&o->log, place, window);
    if (context->whole != NULL && o->log.hits.len != 0)
        note_outliving(p, context->whole);
    hit_log_hits(&o->log, context->number);
    if (!write_hit_log(p) || !reported)
        return false;
    for (const struct counter_block *place = p->places; place != NULL; place = place->next)
        if (window_is_told_apart(place, window))
            window_hits_keep(place, window, o->kept);
    return true;
}

/* Under the layout lock. */
static bool take_away(struct profiler *p, struct test_context *context)
{
    struct test_contexts *o = p->contexts;
    uint32_t window = 0;
    if (context == NULL || !context_unsettle(context, &window))
        return false;
    if (!write_down(p, context, window)) {
        context_settle(&o->table, context, window);
        return false; /* held for ever: what else it hits is its own */
    }
    __atomic_store_n(&o->of_window[window], 0, __ATOMIC_RELEASE);
    context_table_free(&o->table, window);
    p->shards.users[window] = 0;
    return true;
}

/* --- flows that outlive their test ------------------------------------------------------------ */

static bool holds_elsewhere(const struct test_context *context)
{
    return (uint32_t)atomic_load_explicit(&context->held, memory_order_relaxed) >
           atomic_load_explicit(&context->last, memory_order_relaxed);
}

/* What is still on a stack, or went on and hit something. A class may run as long as its tests
 * do, but not longer. */
static void find_outliving(struct profiler *p)
{
    struct test_contexts *o = p->contexts;
    for (uint32_t w = 0; w < SHARDS_MAX; w++) {
        struct test_context *context = o->table.of_window[w];
        if (context == NULL || context->kind == CONTEXT_STATIC ||
            !atomic_load_explicit(&context->is_over, memory_order_relaxed))
            continue;
        if (context->kind == CONTEXT_CLASS && holds_elsewhere(context))
            hit_log_outlives(&o->log, context);
        if (context->whole != NULL && window_hits_any(p, w))
            note_outliving(p, context->whole);
        else if (context->whole == NULL && holds_elsewhere(context))
            note_outliving(p, context);
    }
}

void contexts_finish(struct profiler *p)
{
    if (p->contexts == NULL)
        return;
    mutex_lock(&p->layout_lock);
    watch_places(p);
    find_outliving(p);
    (void)write_hit_log(p);
    mutex_unlock(&p->layout_lock);
}

/* Its code has left the stack of a thread after it was over. One that handed on the last of it may
 * leave late; one that did nothing else (contexts_lose_thread) was there for more than that. Of the
 * rest of a context, only hits tell. Under the layout lock. */
static void note_left(struct profiler *p, const struct left_context *left)
{
    int64_t at = left->back != 0 ? left->back : clock_ns();
    if (left->is_last || left->context->whole != NULL || !is_outliving(p, left->context))
        return;
    if (at - left->context->ended > LATE_NS)
        note_outliving(p, left->context);
    if (!left->flow->is_reused && left->flow->depth == 0) {
        left->flow->only = left->context;
        left->flow->only_left = at;
    }
}

static void note_end_of_thread(void *argument, const struct left_context *left)
{
    note_left(argument, left);
}

/* Threads of a pool live on. */
void contexts_lose_thread(struct profiler *p, struct execution_context *flow)
{
    execution_context_end(flow, note_end_of_thread, p);
    if (flow->only != NULL && clock_ns() - flow->only_left < POOL_NS)
        note_outliving(p, flow->only);
    flow->only = NULL;
    if (p->contexts != NULL)
        (void)write_hit_log(p);
}

/* A class will run again, for the next test. */
static void leave_context(void *argument, const struct left_context *left)
{
    struct profiler *p = argument;
    if (left->context->kind != CONTEXT_TEST)
        return;
    mutex_lock(&p->layout_lock);
    note_left(p, left);
    if (left->is_idle)
        (void)take_away(p, left->context);
    mutex_unlock(&p->layout_lock);
}

/* The flow of a test goes on after its end, on a thread that had left it: what it hits from now on
 * is told apart from what it hit before, and from what other threads have yet to finish of it. */
static struct test_context *part_to_run(struct profiler *p, const struct execution_context *flow,
                                        struct test_context *context)
{
    if (context->kind != CONTEXT_TEST || execution_context_holds(flow, context) ||
        !atomic_load_explicit(&context->is_over, memory_order_relaxed))
        return context;
    mutex_lock(&p->layout_lock);
    struct test_context *rest = context_rest(context, &p->arena);
    if (rest == NULL)
        note_outliving(p, context); /* for all we know */
    mutex_unlock(&p->layout_lock);
    return rest != NULL ? rest : context;
}

/* --- a context gets a window ------------------------------------------------------------------ */

static bool find_free(const struct profiler *p, uint32_t *window)
{
    for (uint32_t w = 0; w < p->shards.count; w++) {
        if (p->shards.role[w] == SHARD_OF_CONTEXT && p->shards.users[w] == 0) {
            *window = w;
            return true;
        }
    }
    return false;
}

/* Where the context counts from now on, and holds it. False if there is no window. */
static bool settle_context(struct profiler *p, struct test_context *context, uint32_t *window)
{
    struct test_contexts *o = p->contexts;
    mutex_lock(&p->layout_lock);
    bool held = context_hold(context, window);
    if (!held) {
        held = find_free(p, window) ||
               (shards_count(&p->shards, SHARD_OF_CONTEXT) >= WINDOWS_ENOUGH &&
                take_away(p, context_table_oldest(&o->table, true)) && find_free(p, window)) ||
               shards_take_for(p, SHARD_OF_CONTEXT, window) ||
               (take_away(p, context_table_oldest(&o->table, false)) && find_free(p, window));
        if (held) {
            p->shards.users[*window] = 1;
            __atomic_store_n(&o->of_window[*window], context->number, __ATOMIC_RELEASE);
            context_settle(&o->table, context, *window);
        } else {
            tell_of_loss(p, "too many had code on the stacks of threads at once, or there is no "
                            "room for more counters");
        }
    }
    mutex_unlock(&p->layout_lock);
    return held;
}

static struct shard_thread *thread_here(void)
{
    return thread_slot_get(&g_profiler.shards.own_thread);
}

static int64_t read_context_number(const struct test_context *context)
{
    return context != NULL ? context->number : 0;
}

/* The thread goes over to the flow of another context, or of nobody. */
static void switch_to(int64_t number)
{
    struct profiler *p = &g_profiler;
    struct shard_thread *thread = thread_here();
    uintptr_t at = (uintptr_t)__builtin_frame_address(0);
    if (thread == NULL)
        return;
    struct execution_context *flow = &thread->flow;
    struct test_context *context = context_get(&p->contexts->table, number);
    int64_t previous = read_context_number(flow->current);
    uint32_t window = thread->shard;
    execution_context_unwind(flow, at, leave_context, p);
    struct held_context *left = execution_context_back(flow, number);
    if (left != NULL)
        left->back = clock_ns();
    flow->current = context;
    if (context != NULL)
        context = part_to_run(p, flow, context);
    bool is_held =
        context != NULL && (context_hold(context, &window) || settle_context(p, context, &window));
    flow->has_entered = context != NULL && context == flow->entering;
    if (flow->has_entered)
        execution_context_enter(flow, context, is_held, previous);
    else if (is_held)
        execution_context_push(flow, context, at, previous);
    flow->entering = NULL;
    if (window == flow->window)
        return;
    flow->window = window;
    shard_table_change(&p->shards.table, thread->low, thread->high,
                       (uint64_t)window << WINDOW_BITS);
}

/* --- enclosed methods ------------------------------------------------------------------------- */

static struct test_context *find_site_context(struct profiler *p, uint32_t site, struct str name)
{
    struct test_contexts *o = p->contexts;
    const struct context_site *of = &o->sites[site - 1];
    bool is_new = false;
    struct test_context *context = context_table_add(&o->table, site, name, &is_new, &p->arena);
    if (context == NULL || (!is_new && context->is_logged))
        return context;
    context->kind = of->kind;
    context->leaves_early = of->leaves_early;
    hit_log_context(&o->log, context, of->mvid, of->rid);
    context->is_logged = write_hit_log(p);
    return context->is_logged ? context : NULL;
}

static const struct context_site *site_of(int32_t number)
{
    const struct test_contexts *o = g_profiler.contexts;
    return number > 0 && (uint32_t)number <= o->site_count ? &o->sites[number - 1] : NULL;
}

/* The managed half asks whose flow begins. */
static int64_t enter_context(int32_t site, const uint16_t *units, int32_t len)
{
    struct profiler *p = &g_profiler;
    struct shard_thread *thread = thread_here();
    const struct context_site *of = site_of(site);
    char name[NAME_UNITS_MAX * 3];
    if (thread == NULL || of == NULL)
        return 0;
    const struct test_context *now = thread->flow.current;
    size_t name_len = utf16_to_utf8(name, sizeof name, units,
                                    (size_t)(len < NAME_UNITS_MAX ? len : NAME_UNITS_MAX));
    mutex_lock(&p->layout_lock);
    struct test_context *context = NULL;
    if (now == NULL || (now->kind != CONTEXT_TEST && of->kind == CONTEXT_TEST))
        context = find_site_context(p, (uint32_t)site, (struct str){name, name_len});
    if (context != NULL) {
        atomic_store_explicit(&context->is_over, false, memory_order_relaxed);
        context->previous = read_context_number(now);
        if (context->running++ == 0)
            context->started = clock_ns();
        p->contexts->tests_begun += of->kind == CONTEXT_TEST;
    }
    mutex_unlock(&p->layout_lock);
    /* what leaves early has no base to keep (profiler/method.c) */
    thread->flow.entering = context != NULL && !context->leaves_early ? context : NULL;
    return read_context_number(context);
}

static void end_context(int64_t number, int32_t how)
{
    struct profiler *p = &g_profiler;
    struct shard_thread *thread = thread_here();
    struct test_context *context = context_get(&p->contexts->table, number);
    if (context == NULL)
        return;
    mutex_lock(&p->layout_lock);
    context->threw |= how == HITS_THREW;
    context->is_unknown |= how == HITS_UNKNOWN;
    context->rows++;
    if (context->running != 0 && --context->running == 0) {
        context->ended = clock_ns();
        context->tests_before = p->contexts->tests_begun;
        if (thread != NULL)
            execution_context_ended(&thread->flow, context);
        hit_log_over(&p->contexts->log, context, context->ended - context->started);
        context->rows = 0;
        context->threw = context->is_unknown = false;
        atomic_store_explicit(&context->is_over, true, memory_order_relaxed);
    }
    mutex_unlock(&p->layout_lock);
}

static void enter_static(struct execution_context *flow, int32_t site)
{
    struct profiler *p = &g_profiler;
    mutex_lock(&p->layout_lock);
    struct test_context *context = find_site_context(p, (uint32_t)site, STR(""));
    mutex_unlock(&p->layout_lock);
    if (context == NULL)
        return;
    flow->entering = context;
    switch_to(context->number);
}

/* What leaves early is on no stack, so it is counted how often it is within itself. */
static bool is_again(const struct execution_context *flow, int32_t site)
{
    return flow->current != NULL && flow->current->site == (uint32_t)site;
}

void contexts_enter(const void *self, int32_t site)
{
    struct profiler *p = &g_profiler;
    struct shard_thread *thread = thread_here();
    const struct context_site *of = site_of(site);
    if (thread == NULL || of == NULL)
        return;
    struct execution_context *flow = &thread->flow;
    if (of->leaves_early && is_again(flow, site)) {
        mutex_lock(&p->layout_lock);
        flow->current->again++;
        mutex_unlock(&p->layout_lock);
        return;
    }
    flow->has_entered = false;
    if (of->kind == CONTEXT_STATIC)
        enter_static(flow, site);
    else if (contexts_have_managed(p))
        p->contexts->calls.enter(self, site);
    if (flow->entering != NULL) /* there is no memory for a flow of its own */
        end_context(flow->entering->number, HITS_UNKNOWN);
    flow->entering = NULL;
    if (!flow->has_entered && !of->leaves_early)
        execution_context_stay(flow);
}

void contexts_returned(const void *result)
{
    thread_slot_set(&g_profiler.contexts->result, (void *)(uintptr_t)result);
}

/* What a method that is about to return has said; false if it throws. */
static bool take_return(const void **result)
{
    *result = contexts_result();
    if (*result == NULL)
        return false;
    if (*result == (const void *)TEST_HOOK_NOTHING) {
        *result = NULL;
        thread_slot_set(&g_profiler.contexts->result, NULL);
    }
    return true;
}

/* The end of what leaves early comes in its own flow, on any thread. */
static struct test_context *leave_early(const struct execution_context *flow, int32_t site,
                                        int64_t *previous)
{
    struct test_context *context = is_again(flow, site) ? flow->current : NULL;
    if (context == NULL)
        return NULL;
    mutex_lock(&g_profiler.layout_lock);
    *previous = context->previous;
    if (context->again != 0) {
        context->again--;
        context = NULL;
    }
    mutex_unlock(&g_profiler.layout_lock);
    return context;
}

/* If only to whoever awaits the rest of it. */
void contexts_leave(int32_t site, int32_t how)
{
    struct test_contexts *o = g_profiler.contexts;
    struct shard_thread *thread = thread_here();
    const struct context_site *of = site_of(site);
    const void *result = NULL;
    int64_t previous = 0;
    bool returns = take_return(&result);
    if (thread == NULL || of == NULL)
        return;
    struct test_context *context = of->leaves_early
                                       ? leave_early(&thread->flow, site, &previous)
                                       : execution_context_return(&thread->flow, &previous);
    if (context == NULL)
        return;
    if (of->kind == CONTEXT_STATIC) {
        atomic_store_explicit(&context->is_over, true, memory_order_relaxed);
        switch_to(previous);
    } else {
        o->calls.leave(context->number, returns ? how : HITS_THREW, result, previous);
    }
}

const void *contexts_result(void)
{
    return thread_slot_get(&g_profiler.contexts->result);
}

void contexts_took_result(void)
{
    struct profiler *p = &g_profiler;
    const void *result = contexts_result();
    thread_slot_set(&p->contexts->result, NULL);
    if (contexts_have_managed(p))
        p->contexts->calls.free(result);
}

/* --- the managed half ------------------------------------------------------------------------- */

bool contexts_have_managed(const struct profiler *p)
{
    return atomic_load_explicit(&p->contexts->calls.enter, memory_order_acquire) != NULL;
}

bool contexts_are_started(void)
{
    return contexts_have_managed(&g_profiler) ||
           atomic_load_explicit(&g_profiler.contexts->is_refused, memory_order_relaxed);
}

/* Code that the program runs meanwhile, such as a handler of AssemblyLoad, may itself wait for a
 * test on another thread: so nobody waits for ever. */
const void *contexts_must_start(void)
{
    struct profiler *p = &g_profiler;
    struct test_contexts *o = p->contexts;
    uint32_t nobody = 0, self = thread_own_number();
    if (contexts_are_started())
        return NULL;
    if (atomic_compare_exchange_strong_explicit(&o->starter, &nobody, self, memory_order_relaxed,
                                                memory_order_relaxed))
        return o;
    while (nobody != self && !contexts_are_started() &&
           atomic_fetch_add_explicit(&o->rests, 1, memory_order_relaxed) < START_RESTS_MAX)
        clock_rest(START_REST_MS);
    if (!contexts_are_started())
        tell_of_loss(p, "they ran before ilcov was ready");
    return NULL;
}

void contexts_refused(void)
{
    struct profiler *p = &g_profiler;
    if (!contexts_have_managed(p) &&
        !atomic_exchange_explicit(&p->contexts->is_refused, true, memory_order_relaxed))
        record_warning(&p->record, "hits are not attributed to tests: the runtime does not run %s",
                       p->contexts->program);
}

/* Made of contexts.cs. */
ASSET(contexts_program, "profiler/contexts/contexts.dll");

const char *contexts_make_program(struct profiler *p)
{
    struct test_contexts *o = p->contexts;
    const char *why = NULL;
    mutex_lock(&p->layout_lock);
    if (o->program[0] == '\0') {
        char name[sizeof o->program];
        (void)snprintf(name, sizeof name, SESSION_MANAGED "%s.dll",
                       o->log_name + strlen(SESSION_HITS));
        struct str program = ASSET_STR(contexts_program);
        if (folder_write_copy(&p->folder, name,
                              (struct view){(const uint8_t *)program.text, program.len}))
            memcpy(o->program, name, sizeof name);
        else
            why = "there is no room in the session for the code that attributes them";
    }
    mutex_unlock(&p->layout_lock);
    return why;
}

bool contexts_are_program(const struct profiler *p, struct str path)
{
    return p->contexts != NULL && p->contexts->program[0] != '\0' &&
           str_is(path_file(path), p->contexts->program);
}

/* --- what the library meets ------------------------------------------------------------------- */

uint32_t contexts_add_site(struct profiler *p, const struct context_site *site)
{
    struct test_contexts *o = p->contexts;
    if (o->site_count == o->site_room) {
        uint32_t room = o->site_room != 0 ? 2 * o->site_room : FIRST_SITES;
        struct context_site *sites = arena_raw(&p->arena, room, sizeof *sites, NULL);
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

void contexts_meet_place(struct profiler *p, struct counter_block *place)
{
    if (!place->sharded || place->file.head == NULL) {
        record_warning(&p->record, "hits in %.*s are not attributed to tests: %s",
                       STR_ARGS(place->name),
                       place->may_change ? "hot reload may change it"
                                         : "there is no room for counters per test");
        return;
    }
    place->log_number = hit_log_place(&p->contexts->log, str_of(place->file.name));
    if (!has_own_shards(place))
        give_up_place(p, place);
    (void)write_hit_log(p);
}

static bool open_files(struct profiler *p)
{
    struct test_contexts *o = p->contexts;
    struct process_stat self;
    char name[64];
    size_t len = map_whole(SHARDS_MAX * sizeof *o->of_window);
    (void)!process_stat_read(&self, PROCESS_SELF);
    (void)snprintf(o->log_name, sizeof o->log_name, SESSION_HITS "%d-%llu", process_self(),
                   self.start_ticks);
    (void)snprintf(name, sizeof name, SESSION_CONTEXTS "%d-%llu", process_self(), self.start_ticks);
    kept_open(&o->log_file, folder_file(&p->folder, o->log_name, FILE_APPEND | FILE_MAKE));
    int fd = folder_file(&p->folder, name, FILE_READ | FILE_WRITE | FILE_MAKE);
    if (fd >= 0 && file_length_allowed(len) && file_reserve(fd, 0, len))
        o->of_window = (uint32_t *)(void *)map_shared(fd, len);
    (void)file_close(fd);
    return kept_fd(&o->log_file) >= 0 && o->of_window != NULL;
}

void contexts_open(struct profiler *p)
{
    struct test_contexts *o = calloc(1, sizeof *o);
    p->contexts = o;
    if (o != NULL && p->shards.table.entries != NULL) {
        o->log.arena = ARENA_EMPTY;
        hit_log_began(&o->log, clock_now_ns());
        o->calls = (struct context_calls){
            .entered = enter_context, .ended = end_context, .switch_to = switch_to};
        if (thread_slot_open(&p->shards.own_thread) && thread_slot_open(&o->result) &&
            open_files(p) && shards_take_for(p, SHARD_OF_KEPT, &o->kept)) {
            o->of_window[o->kept] = CONTEXT_OF_KEPT;
            shards_meet_thread(p, 0); /* again, to have its row in the slot */
            return;
        }
    }
    p->contexts = NULL;
    free(o);
    record_warning(&p->record, "hits are not attributed to tests: there is no room for that");
}

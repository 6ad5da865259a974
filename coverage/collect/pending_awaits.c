#include "coverage/collect/pending_awaits.h"

#include "coverage/collect/collector.h"
#include "coverage/statements/il_idioms.h"
#include "rewriter/nothrow.h"
#include "rewriter/plan.h"

struct await_search {
    const struct session_counters *file;
    struct module module;
    struct nothrow nothrow;
    const uint64_t *earlier; /* read before the shards of the file were looked for again */
    uint64_t *later;
    uint32_t counter; /* the first of the next method */
    uint64_t plan_hash;
    bool is_exact;
    struct list *out;
    struct arena *arena, working, scratch;
};

/* No increment of a counter was lost, nor is read twice: hits of tests move to another shard. */
static bool is_exact(const struct session *session, const struct session_counters *file)
{
    bool exact = session->hits_count == 0 &&
                 (file->mode == MODE_EXACT || (file->mode == MODE_COUNT && file->shard_count > 1));
    for (uint32_t i = 0; i < session->process_count && file->mode == MODE_COUNT; i++)
        exact = exact && session->processes[i].sharing_count == 0;
    return exact;
}

/* A machine that was left at `await` goes on there, too: from the one other block. */
static uint32_t block_of_return(const struct flow *flow, uint32_t await, uint32_t goes_on)
{
    uint32_t found = NO_INDEX;
    for (uint32_t i = 0; i < flow->blocks[goes_on].in_count; i++) {
        uint32_t from = flow_edge_in(flow, &flow->blocks[goes_on], i)->from;
        if (from == await)
            continue;
        if (found != NO_INDEX)
            return NO_INDEX;
        found = from;
    }
    return found;
}

/* Where the awaiter is kept that is asked: with it ends what the user wrote. */
static uint32_t offset_of_await(const struct flow *flow, uint32_t await)
{
    uint32_t asked = idiom_tested_load(flow, await);
    return flow->il.instrs[asked >= 2 ? asked - 2 : asked].offset;
}

static bool search_method(struct await_search *s, uint32_t rid, const struct flow *flow,
                          const struct plan_counts *earlier, const struct plan_counts *later,
                          struct err *err)
{
    for (uint32_t n = 0; n < flow->block_count; n++) {
        uint32_t goes_on = idiom_await_continues(flow, n);
        uint32_t back = goes_on != NO_INDEX ? block_of_return(flow, n, goes_on) : NO_INDEX;
        if (back == NO_INDEX)
            continue;
        uint32_t first = flow->blocks[n].first_edge;
        uint64_t left = earlier->edges[flow->edges[first].to == goes_on ? first + 1 : first];
        uint64_t returned = later->blocks[back];
        struct pending_await pending = {
            .file = s->file,
            .token = TOKEN(TABLE_MethodDef, rid),
            .il_offset = offset_of_await(flow, n),
            .left = s->is_exact ? left : 0,
            .pending = s->is_exact ? left - returned : 0,
        };
        if (left > returned && (s->is_exact || returned == 0) &&
            !list_put(s->out, &pending, sizeof pending, s->arena, err))
            return false;
    }
    return true;
}

static bool take_method(struct await_search *s, uint32_t rid, struct err *err)
{
    struct method_def def;
    struct flow flow;
    struct plan plan;
    struct plan_counts earlier, later;
    arena_reset(&s->scratch);
    if (!module_method(&def, &s->module, rid))
        return true;
    enum verdict verdict = plan_body(&plan, &flow, def.body, &s->module.md,
                                     s->file->may_change ? NULL : &s->nothrow, rid, &s->scratch);
    if (verdict != VERDICT_OK)
        return verdict != VERDICT_DECLINED_MEMORY ||
               err_set(err, ERR_MEMORY, "out of memory: a plan needs more");
    s->plan_hash = plan_hash_method(s->plan_hash, rid, flow.body.whole, &plan, &flow);
    uint32_t first = s->counter;
    if (plan.counter_count > s->file->counter_count - first)
        return true; /* the plan is another one */
    s->counter += plan.counter_count;
    return plan_count(&earlier, &plan, &flow, s->earlier + first, &s->scratch, err) &&
           plan_count(&later, &plan, &flow, s->later + first, &s->scratch, err) &&
           search_method(s, rid, &flow, &earlier, &later, err);
}

static bool search_module(struct await_search *s, struct err *err)
{
    uint32_t rows = tables_rows(&s->module.md.tables, TABLE_MethodDef), before = s->out->count;
    if (!s->file->may_change && !find_nothrow(&s->nothrow, &s->module.md, body_in_image, &s->module,
                                              &s->working, &s->scratch))
        return err_set(err, ERR_MEMORY, "out of memory: an assembly needs more");
    s->plan_hash = plan_hash_start(s->file->mode);
    for (uint32_t rid = 1; rid <= rows; rid++)
        if (!take_method(s, rid, err))
            return false;
    if (s->plan_hash != s->file->plan_hash || s->counter != s->file->counter_count)
        s->out->count = before;
    return true;
}

static bool search_file(const struct await_search *wanted, const struct session *now,
                        struct err *err)
{
    struct await_search s = *wanted;
    struct str path;
    if (!collector_open_counted(&s.module, &path, now, s.file, 1))
        return true;
    s.working = ARENA_EMPTY;
    s.scratch = ARENA_EMPTY;
    s.later = ARENA_NEW(&s.working, uint64_t, s.file->counter_count, err);
    bool ok =
        s.later != NULL && (!session_add_counts(s.later, s.file, NULL) || search_module(&s, err));
    arena_free(&s.scratch);
    arena_free(&s.working);
    module_close(&s.module);
    return ok;
}

/* What it is now: it may have more shards. */
static const struct session_counters *find_file(const struct session *now,
                                                const struct session_counters *file)
{
    for (uint32_t i = 0; i < now->counters_count; i++)
        if (str_eq(now->counters[i].file, file->file) &&
            now->counters[i].counter_count == file->counter_count)
            return &now->counters[i];
    return NULL;
}

bool pending_awaits_find(struct list *out, const char *path, const struct session *session,
                         bool (*counts)(const void *context, struct str file), const void *context,
                         struct arena *arena, struct err *err)
{
    struct session now;
    uint64_t **earlier = ARENA_NEW(arena, uint64_t *, session->counters_count, err);
    if (earlier == NULL)
        return false;
    for (uint32_t i = 0; i < session->counters_count; i++) {
        const struct session_counters *file = &session->counters[i];
        if (!counts(context, file->file))
            continue;
        uint64_t *sums = ARENA_NEW(arena, uint64_t, file->counter_count, err);
        if (sums == NULL)
            return false;
        earlier[i] = session_add_counts(sums, file, NULL) ? sums : NULL;
    }
    if (!session_read(&now, path, arena, err))
        return false;
    for (uint32_t i = 0; i < session->counters_count; i++) {
        const struct session_counters *file = find_file(&now, &session->counters[i]);
        struct await_search s = {.file = file, .earlier = earlier[i], .out = out, .arena = arena};
        if (file == NULL || earlier[i] == NULL)
            continue;
        s.is_exact = is_exact(&now, file);
        if (!search_file(&s, &now, err))
            return false;
    }
    return true;
}

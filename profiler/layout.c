#include "profiler/layout.h"

#include <string.h>

#include "profiler/contexts.h"
#include "profiler/method.h"
#include "profiler/shards.h"
#include "system/trace.h"

enum {
    BYTES_A_COUNTER = 6, /* of IL; the lowest ratio measured: guides the first choice of shards */
    LAYOUT_TRIES = 4,
};

/* Counter numbers and hash are updated before the method is rewritten: the collector makes the same
 * plan and can't know which rewrite failed. */
static enum verdict plan_at_load(struct flow *flow, struct plan *plan, struct layout_job *job,
                                 uint32_t rid)
{
    struct instrumented_module *module = job->module;
    struct counter_block *place = module->place;
    arena_reset(&job->scratch);
    enum verdict verdict =
        plan_body(plan, flow, counter_block_original(place, &module->meta, rid), &module->meta.md,
                  counter_block_nothrow(place), rid, &job->scratch);
    job->planned &= verdict != VERDICT_DECLINED_MEMORY;
    if (verdict != VERDICT_OK)
        return verdict;
    place->methods[rid - 1].counter_count = plan->counter_count;
    place->counter_count += plan->counter_count;
    place->plan_hash = plan_hash_method(place->plan_hash, rid, flow->body.whole, plan, flow);
    return VERDICT_OK;
}

static enum verdict rewrite_at_load(struct layout_job *job, uint32_t rid)
{
    struct instrumented_module *module = job->module;
    struct placed_method *method = &module->place->methods[rid - 1];
    struct flow flow;
    struct plan plan;
    struct rewritten rewritten;
    enum verdict verdict = plan_at_load(&flow, &plan, job, rid);
    if (verdict != VERDICT_OK)
        return verdict;
    method_choose_form(module->place, rid, &flow, &plan, &job->scratch);
    struct probe_form form = method_form(module, rid);
    verdict = rewrite(&rewritten, &flow, &plan, &form, &module->place->bodies, &job->scratch);
    if (verdict != VERDICT_OK)
        return verdict;
    method->body = rewritten.body.data;
    return VERDICT_OK;
}

static void trace_method(const struct layout_job *job, uint32_t rid)
{
    static const char *const anchors[] = {
        [ANCHOR_NONE] = "none", [ANCHOR_ARGUMENT] = "argument", [ANCHOR_LOCAL] = "local"};
    const struct module *meta = &job->module->meta;
    const struct placed_method *method = &job->module->place->methods[rid - 1];
    struct str name = row_string(&meta->md, COL_MethodDef_Name, rid);
    trace("method %.*s 0x%08x %.*s: %s, %u counters, anchor %s%s", STR_ARGS(meta->name),
          (unsigned)TOKEN(TABLE_MethodDef, rid), STR_ARGS(name),
          method->verdict == VERDICT_OK ? "instrumented"
                                        : verdict_text((enum verdict)method->verdict),
          method->counter_count, anchors[method->anchor.kind],
          method->looks_first ? ", looks first" : "");
}

static void rewrite_all(struct layout_job *job)
{
    struct counter_block *place = job->module->place;
    arena_reset(&place->bodies);
    place->counter_count = 0;
    place->plan_hash = plan_hash_start(place->mode);
    job->planned = true;
    for (uint32_t rid = 1; rid <= place->method_count; rid++) {
        struct placed_method *method = &place->methods[rid - 1];
        method->body = NULL;
        method->first_counter = place->counter_count;
        method->counter_count = 0;
        method->verdict = VERDICT_NO_IL;
        if (method->original_len != 0)
            method->verdict = (uint8_t)rewrite_at_load(job, rid);
        if (trace_is_on())
            trace_method(job, rid);
    }
}

static uint64_t code_bytes(const struct counter_block *place)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < place->method_count; i++)
        bytes += place->methods[i].original_len;
    return bytes;
}

static struct counter_file_request request_for(const struct profiler *p,
                                               const struct instrumented_module *module)
{
    const struct counter_block *place = module->place;
    size_t stride = counter_file_stride(place->mode, place->counter_count);
    return (struct counter_file_request){
        .folder = &p->folder,
        .name = module->meta.name,
        .path = place->path,
        .mvid = place->mvid,
        .plan_hash = place->plan_hash,
        .mode = place->mode,
        .counter_count = place->counter_count,
        .method_count = place->method_count,
        .may_change = place->may_change,
        .by_context = p->contexts != NULL,
        .shard_count = place->sharded ? shards_for_module(p, stride) : 1,
        .window_count = place->sharded ? p->shards.count : 1,
        .place = (uint8_t *)(uintptr_t)place->counters,
    };
}

static bool open_counter_file(struct counter_block *place, struct counter_file_request *request,
                              struct err *err)
{
    bool open = counter_file_open(&place->file, request, err);
    while (!open && err->code != ERR_MEMORY && request->shard_count > 1) {
        request->shard_count /= 2;
        open = counter_file_open(&place->file, request, err);
    }
    return open;
}

/* Opens the counters where the bodies expect them. If not all windows can be mapped, the module may
 * still count at absolute addresses; then the bodies must be written anew. */
static bool open_counters(struct profiler *p, struct layout_job *job, bool *only_absolute)
{
    struct counter_block *place = job->module->place;
    struct counter_file_request request = request_for(p, job->module);
    struct err err;
    *only_absolute = false;
    if (open_counter_file(place, &request, &err))
        return true;
    bool is_memory = err.code == ERR_MEMORY; /* what is left belongs to the target */
    bool declined = place->file.place_is_lost || (is_memory && !windows_leave_some());
    if (is_memory && place->sharded && !declined) {
        place->sharded = false;
        place->shortage = REASON_MANY_MAPPINGS;
        *only_absolute = true;
        return false;
    }
    record_warning(&p->record, "the counts of %.*s are lost: %s", STR_ARGS(job->module->meta.name),
                   err.text);
    job->is_loss_reported = true;
    return !is_memory && counter_file_private(&place->file, &request, &err);
}

/* May bodies count in the shards of their threads? If not, threads share one. */
static void choose_sharding(const struct profiler *p, struct counter_block *place, size_t len)
{
    place->shortage = p->shards.limit <= 1                           ? p->shards.limit_reason
                      : len > WINDOW_LEN                             ? REASON_MANY_COUNTERS
                      : p->place_count >= SHARDED_MODULES_MAX        ? REASON_MANY_MODULES
                      : !windows_allow(&p->windows, p->shards.count) ? REASON_MANY_MAPPINGS
                                                                     : REASON_NONE;
    bool counts_for_contexts =
        p->contexts == NULL || !place->may_change; /* it gets no probe that calls */
    place->sharded =
        place->shortage == REASON_NONE && place->mode != MODE_EXACT && counts_for_contexts;
}

/* Does a method of a sharded place count at absolute addresses, where threads lose counts? */
static bool has_absolute(const struct counter_block *place)
{
    for (uint32_t i = 0; i < place->method_count; i++)
        if (place->methods[i].counter_count != 0 && place->methods[i].body != NULL &&
            place->methods[i].anchor.kind == ANCHOR_NONE && !place->methods[i].looks_first)
            return place->mode == MODE_COUNT && place->function_sig == 0;
    return false;
}

/* Bodies hold the addresses of their counters, so a place is chosen first, by what is likely to
 * fit, and checked when the number of counters is known. */
static bool lay_out_module(struct profiler *p, struct layout_job *job)
{
    struct counter_block *place = job->module->place;
    uint32_t guess = (uint32_t)(code_bytes(place) / BYTES_A_COUNTER) + place->method_count;
    struct counter_file_request request = request_for(p, job->module);
    size_t head = counter_file_head_len(&request);
    size_t len = head + counter_file_stride(place->mode, guess);
    bool single = p->place_count >= SHARDED_MODULES_MAX;
    choose_sharding(p, place, len);
    for (unsigned i = 0; i < LAYOUT_TRIES; i++) {
        uint8_t *at = windows_peek(&p->windows, len, single);
        bool only_absolute = false;
        if (at == NULL)
            return false;
        place->counters = (uint64_t)(uintptr_t)(at + head);
        rewrite_all(job);
        if (!job->planned)
            return false;
        size_t needed = head + counter_file_stride(place->mode, place->counter_count);
        if (needed > len) {
            len = needed;
            choose_sharding(p, place, len);
            continue;
        }
        if (open_counters(p, job, &only_absolute)) {
            windows_take(&p->windows, at, needed, place->file.window_count);
            p->place_count++;
            if (place->sharded && has_absolute(place))
                place->shortage = REASON_TAIL_CALLS;
            trace("counters of %.*s: %u at 0x%llx, %u shards of %u",
                  STR_ARGS(job->module->meta.name), place->counter_count,
                  (unsigned long long)place->counters, place->file.shard_count,
                  place->file.window_count);
            return true;
        }
        if (place->file.place_is_lost)
            windows_take(&p->windows, at, len, 0); /* no other module may get it */
        if (!only_absolute)
            return false;
    }
    return false;
}

struct counter_block *layout_find_place(const struct profiler *p, const struct layout_job *job)
{
    struct counter_block *place = p->places;
    while (place != NULL && !counter_block_is_of(place, &job->identity))
        place = place->next;
    return place;
}

/* Bodies have tokens of signatures that each load must have, too. The runtime gives equal modules
 * equal tokens. */
bool layout_make(struct profiler *p, struct layout_job *job, bool *shared)
{
    struct instrumented_module *module = job->module;
    struct counter_block *place = layout_find_place(p, job);
    *shared = place != NULL;
    if (place != NULL) {
        module->place = place;
        shards_watch(p, place);
        return place->function_sig == module->function_sig;
    }
    module->place = job->spare;
    module->place->function_sig = module->function_sig;
    bool is_laid_out = lay_out_module(p, job);
    module->place->spare = (struct spare_locals){.count = 0};
    if (!is_laid_out)
        return false;
    module->place->next = p->places;
    p->places = module->place;
    job->spare = NULL;
    if (p->contexts != NULL)
        contexts_meet_place(p, module->place);
    shards_watch(p, module->place);
    return true;
}

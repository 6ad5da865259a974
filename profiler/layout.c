#include "profiler/layout.h"

#include <string.h>

#include "contract/session_format.h"
#include "profiler/method.h"
#include "profiler/shards.h"

enum {
    BYTES_A_COUNTER = 6, /* of IL; the lowest ratio measured: guides the first choice of shards */
    LAYOUT_TRIES = 4,
};

/* Counter numbers and hash are updated before the method is rewritten: the collector makes the same
 * plan and can't know which rewrite failed. */
static enum verdict plan_at_load(struct flow *flow, struct plan *plan, struct layout_job *job,
                                 uint32_t rid)
{
    struct covered_method *method = &job->module->methods[rid - 1];
    struct view body = {method->body, method->body_len};
    arena_reset(&job->scratch);
    enum verdict verdict = flow_build(flow, body, &job->module->meta.md, rid, &job->scratch);
    if (verdict == VERDICT_OK && !plan_make(plan, flow, &job->scratch))
        verdict = VERDICT_REFUSED_MEMORY;
    job->planned &= verdict != VERDICT_REFUSED_MEMORY;
    if (verdict != VERDICT_OK)
        return verdict;
    method->first_counter = job->counter_count;
    job->counter_count += plan->counter_count;
    job->plan_hash = plan_hash_method(job->plan_hash, rid, flow->body.whole, plan, flow);
    return VERDICT_OK;
}

static enum verdict rewrite_at_load(struct layout_job *job, uint32_t rid)
{
    struct covered_module *module = job->module;
    struct flow flow;
    struct plan plan;
    struct rewritten rewritten;
    enum verdict verdict = plan_at_load(&flow, &plan, job, rid);
    if (verdict != VERDICT_OK)
        return verdict;
    struct probe_form form = method_form(module, rid);
    method_choose_form(&form, &job->last_body[rid - 1], module, &flow);
    verdict = rewrite(&rewritten, &flow, &plan, &form, &module->bodies, &job->scratch);
    if (verdict == VERDICT_OK)
        job->new_bodies[rid - 1] = rewritten.body;
    return verdict;
}

static void rewrite_all(struct layout_job *job)
{
    struct covered_module *module = job->module;
    arena_reset(&module->bodies);
    job->counter_count = 0;
    job->planned = true;
    job->plan_hash = plan_hash_start(module->mode);
    for (uint32_t rid = 1; rid <= module->method_count; rid++) {
        job->verdicts[rid - 1] = VERDICT_NO_IL;
        if (module->methods[rid - 1].body != NULL)
            job->verdicts[rid - 1] = (uint8_t)rewrite_at_load(job, rid);
    }
}

static uint64_t code_bytes(const struct covered_module *module)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < module->method_count; i++)
        bytes += module->methods[i].body_len;
    return bytes;
}

static struct counter_file_request request_for(const struct profiler *p,
                                               const struct layout_job *job, struct str path)
{
    const struct covered_module *module = job->module;
    size_t stride = counter_file_stride(module->mode, job->counter_count);
    return (struct counter_file_request){
        .folder = &p->folder,
        .name = module->meta.name,
        .path = path,
        .mvid = module->meta.mvid,
        .plan_hash = job->plan_hash,
        .mode = module->mode,
        .counter_count = job->counter_count,
        .method_count = module->method_count,
        .shard_count = module->sharded ? shards_for_module(p, stride) : 1,
        .window_count = module->sharded ? p->shards.count : 1,
        .place = (uint8_t *)(uintptr_t)module->counters,
    };
}

static bool open_file(struct covered_module *module, struct counter_file_request *request,
                      struct err *err)
{
    bool open = counter_file_open(&module->file, request, err);
    while (!open && err->code != ERR_MEMORY && request->shard_count > 1) {
        request->shard_count /= 2;
        open = counter_file_open(&module->file, request, err);
    }
    return open;
}

/* Opens the counters where the bodies expect them. If not all windows can be mapped, the module may
 * still count at absolute addresses; then the bodies must be written anew. */
static bool open_counters(struct profiler *p, struct layout_job *job, struct str path,
                          bool *only_absolute)
{
    struct covered_module *module = job->module;
    struct counter_file_request request = request_for(p, job, path);
    struct err err;
    *only_absolute = false;
    if (open_file(module, &request, &err))
        return true;
    bool is_memory = err.code == ERR_MEMORY; /* what is left belongs to the target */
    bool declined = module->file.place_is_lost || (is_memory && !windows_leave_some());
    if (is_memory && module->sharded && !declined) {
        module->sharded = false;
        *only_absolute = true;
        return false;
    }
    record_trouble(&p->record, "the counts of %.*s are lost: %s", STR_ARGS(module->meta.name),
                   err.text);
    job->is_loss_reported = true;
    return !is_memory && counter_file_private(&module->file, &request, &err);
}

static bool may_shard(const struct profiler *p, const struct covered_module *module, size_t stride)
{
    return module->emit != NULL && module->mode != MODE_EXACT && stride <= WINDOW_LEN &&
           p->shards.limit > 1 && windows_allow(&p->windows, p->shards.count);
}

/* Bodies hold the addresses of their counters, so a place is chosen first, by what is likely to
 * fit, and checked when the number of counters is known. */
static bool lay_out(struct profiler *p, struct layout_job *job, struct str path)
{
    struct covered_module *module = job->module;
    uint32_t guess = (uint32_t)(code_bytes(module) / BYTES_A_COUNTER) + module->method_count;
    size_t stride = counter_file_stride(module->mode, guess);
    module->sharded = may_shard(p, module, stride);
    for (unsigned i = 0; i < LAYOUT_TRIES; i++) {
        uint8_t *place = windows_peek(&p->windows, stride);
        bool only_absolute = false;
        if (place == NULL)
            return false;
        module->counters = (uint64_t)(uintptr_t)place;
        rewrite_all(job);
        if (!job->planned)
            return false;
        size_t needed = counter_file_stride(module->mode, job->counter_count);
        if (needed > stride) {
            stride = needed;
            module->sharded = module->sharded && stride <= WINDOW_LEN;
            continue;
        }
        if (open_counters(p, job, path, &only_absolute)) {
            windows_take(&p->windows, place, needed, module->file.window_count);
            return true;
        }
        if (module->file.place_is_lost)
            windows_take(&p->windows, place, stride, 0); /* no other module may get it */
        if (!only_absolute)
            return false;
    }
    return false;
}

/* Uses the place of an equal module that this process has loaded before. The hash of the
 * plan shows whether it is equal. */
static bool share_place(struct profiler *p, struct layout_job *job, struct str path)
{
    struct covered_module *module = job->module;
    for (const struct counted_place *place = p->places; place != NULL; place = place->next) {
        if (memcmp(place->mvid, module->meta.mvid, sizeof place->mvid) != 0 ||
            !str_eq(place->path, path) || place->method_count != module->method_count)
            continue;
        module->counters = place->counters;
        module->sharded = place->sharded;
        module->file = place->file;
        rewrite_all(job);
        if (job->planned && job->plan_hash == place->plan_hash &&
            job->counter_count == place->counter_count)
            return true;
    }
    return false;
}

/* A module whose windows nobody would add to must not be laid out. */
static bool have_spare_place(struct profiler *p)
{
    if (p->spare_place == NULL)
        p->spare_place = ARENA_NEW(&p->arena, struct counted_place, 1, NULL);
    return p->spare_place != NULL;
}

static void keep_place(struct profiler *p, const struct layout_job *job, struct str path)
{
    const struct covered_module *module = job->module;
    struct counted_place *place = p->spare_place;
    p->spare_place = NULL;
    memcpy(place->mvid, module->meta.mvid, sizeof place->mvid);
    place->path = path;
    place->plan_hash = job->plan_hash;
    place->counter_count = job->counter_count;
    place->method_count = module->method_count;
    place->counters = module->counters;
    place->sharded = module->sharded;
    place->file = module->file;
    place->next = p->places;
    p->places = place;
}

bool layout_make(struct profiler *p, struct layout_job *job, struct str path, bool *shared)
{
    struct str kept = STR("");
    *shared = share_place(p, job, path);
    if (*shared)
        return true;
    if (!have_spare_place(p) || !str_copy(&kept, path, &p->arena, NULL) || !lay_out(p, job, path))
        return false;
    keep_place(p, job, kept);
    return true;
}

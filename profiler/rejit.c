#include "profiler/rejit.h"

#include "profiler/earlier.h"

struct inliner {
    ModuleID id; /* 0: its module is gone */
    mdMethodDef token;
};

/* Parallel arrays, as the runtime takes them. */
struct request {
    ModuleID *modules;
    mdMethodDef *methods;
    HRESULT *results;
    uint32_t count;
};

static bool open_request(struct request *request, uint32_t room, struct arena *arena)
{
    request->modules = ARENA_NEW(arena, ModuleID, room, NULL);
    request->methods = ARENA_NEW(arena, mdMethodDef, room, NULL);
    request->results = ARENA_NEW(arena, HRESULT, room, NULL);
    request->count = 0;
    return request->modules != NULL && request->methods != NULL && request->results != NULL;
}

static void add_to_request(struct request *request, ModuleID id, mdMethodDef token)
{
    request->modules[request->count] = id;
    request->methods[request->count++] = token;
}

static HRESULT request_revert(struct profiler *p, struct request *request)
{
    return p->info->vtbl->RequestRevert(p->info, request->count, request->modules, request->methods,
                                        request->results);
}

/* The runtime asks for the body of each method when it is next called. With INLINING_CALLBACKS it
 * also does so for a method that inlined another one of the same request; otherwise it would
 * recompile its old body, as for any other method that inlined it. */
static HRESULT request_recompile(struct profiler *p, struct request *request)
{
    return p->info->vtbl->RequestReJITWithInliners(
        p->info, COR_PRF_REJIT_BLOCK_INLINING | COR_PRF_REJIT_INLINING_CALLBACKS, request->count,
        request->modules, request->methods);
}

/* Adds to `methods`. */
static HRESULT change_methods(struct profiler *p, const struct instrumented_module *module,
                              ModuleID id,
                              HRESULT (*how)(struct profiler *p, struct request *request),
                              uint32_t *methods)
{
    struct request request;
    struct arena arena = ARENA_EMPTY;
    HRESULT hr = open_request(&request, module->method_count, &arena) ? S_OK : E_OUTOFMEMORY;
    for (uint32_t rid = 1; SUCCEEDED(hr) && rid <= module->method_count; rid++)
        if (atomic_load_explicit(&module->states[rid - 1], memory_order_acquire) ==
            INSTRUMENTED_BY_REJIT)
            add_to_request(&request, id, TOKEN(TABLE_MethodDef, rid));
    if (SUCCEEDED(hr) && request.count != 0) {
        hr = instance_add_events(p, COR_PRF_ENABLE_REJIT);
        hr = SUCCEEDED(hr) ? how(p, &request) : hr;
    }
    for (uint32_t i = 0; SUCCEEDED(hr) && i < request.count; i++)
        *methods += SUCCEEDED(request.results[i]);
    arena_free(&arena);
    return hr;
}

/* The control thread sees each module that loads, or its load event sees what that has changed. */
static bool is_rejit_stopped(struct profiler *p)
{
    mutex_lock(&p->rejit.lock);
    bool stopped = p->rejit.is_stopped;
    mutex_unlock(&p->rejit.lock);
    return stopped;
}

HRESULT rejit_module(struct profiler *p, const struct instrumented_module *module, ModuleID id)
{
    uint32_t methods = 0;
    HRESULT hr =
        is_rejit_stopped(p) ? S_OK : change_methods(p, module, id, request_recompile, &methods);
    if (SUCCEEDED(hr) && methods != 0 && is_rejit_stopped(p))
        (void)change_methods(p, module, id, request_revert, &methods);
    return hr;
}

/* --- methods that inlined others -------------------------------------------------------------- */

/* Without memory it keeps its new code, which is as its old one but inlines nothing of ours. */
void rejit_note_inliner(struct profiler *p, ModuleID id, mdMethodDef token)
{
    mutex_lock(&p->rejit.lock);
    struct inliner *inliner = list_add(&p->rejit.inliners, sizeof *inliner, &p->rejit.arena, NULL);
    if (inliner != NULL)
        *inliner = (struct inliner){id, token};
    mutex_unlock(&p->rejit.lock);
}

static void revert_inliners(struct profiler *p)
{
    mutex_lock(&p->rejit.lock);
    struct arena arena = p->rejit.arena;
    struct list taken = p->rejit.inliners;
    p->rejit.arena = ARENA_EMPTY;
    p->rejit.inliners = (struct list){NULL, 0, 0};
    mutex_unlock(&p->rejit.lock);
    struct inliner *inliners = taken.items;
    for (uint32_t i = 0; i < taken.count; i++) {
        HRESULT result = S_OK;
        if (!catch_up_holds(&p->catch_up, inliners[i].id))
            continue;
        (void)p->info->vtbl->RequestRevert(p->info, 1, &inliners[i].id, &inliners[i].token,
                                           &result);
        catch_up_has_taken(&p->catch_up);
    }
    arena_free(&arena);
}

/* --- all -------------------------------------------------------------------------------------- */

/* Notes for the program what holds from now on. */
static void set_stopped(struct profiler *p, bool stopped)
{
    mutex_lock(&p->rejit.lock);
    bool changed = p->rejit.is_stopped != stopped;
    p->rejit.is_stopped = stopped;
    mutex_unlock(&p->rejit.lock);
    if (changed)
        record_time(&p->record, stopped ? "detached" : "attached");
}

static HRESULT change_all(struct profiler *p, HRESULT (*how)(struct profiler *, struct request *),
                          uint32_t *methods)
{
    HRESULT first = S_OK;
    struct instrumented_module *module = atomic_load_explicit(&p->modules, memory_order_acquire);
    for (; module != NULL; module = module->next) {
        ModuleID id = atomic_load_explicit(&module->id, memory_order_acquire);
        if (id == 0 || !catch_up_holds(&p->catch_up, id))
            continue;
        HRESULT hr = change_methods(p, module, id, how, methods);
        catch_up_has_taken(&p->catch_up);
        first = SUCCEEDED(first) ? hr : first;
    }
    return first;
}

HRESULT rejit_stop(struct profiler *p, uint32_t *methods)
{
    *methods = 0;
    set_stopped(p, true);
    HRESULT hr = change_all(p, request_revert, methods);
    revert_inliners(p);
    return hr;
}

HRESULT rejit_continue(struct profiler *p)
{
    uint32_t methods = 0;
    if (!is_rejit_stopped(p))
        return S_OK;
    set_stopped(p, false);
    HRESULT hr = change_all(p, request_recompile, &methods);
    if (FAILED(hr))
        (void)rejit_stop(p, &methods);
    else
        earlier_note(p); /* what ran meanwhile was not counted */
    return hr;
}

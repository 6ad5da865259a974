#include "profiler/method.h"

#include <string.h>

#include "metadata/lookup.h"
#include "profiler/hot_reload.h"
#include "profiler/rejit.h"
#include "profiler/test_hooks.h"
#include "rewriter/mapped_places.h"
#include "system/thread.h"

enum {
    BUSY_TURNS_MAX = 10000,
    ALLOWS_BY_REF_LIKE = 0x20, /* of GenericParamAttributes */
    RUNTIME_ASYNC_MAJOR = 11,  /* of the first runtime that has it */
};

static const char by_ref_like[] = "System.Runtime.CompilerServices.IsByRefLikeAttribute";

/* Of a method without a variable that leads to a shard, or whose frame must stay as it is: a probe
 * calls this, without a transition. */
static void count_in_shard(void *counter)
{
    const struct shard_table *table = &g_profiler.shards.table;
    uint8_t *at =
        (uint8_t *)counter + shard_table_get(table, (uintptr_t)__builtin_frame_address(0));
    if (g_profiler.mode == MODE_HIT)
        *at = 1;
    else
        ++*(uint64_t *)(void *)at;
}

/* MODE_EXACT: likewise, hence with nothing but the addition in it. */
static void add_one(void *counter)
{
    (void)__atomic_fetch_add((uint64_t *)counter, 1, __ATOMIC_RELAXED);
}

/* The JIT polls for a collection where a call makes no transition, as those of MODE_EXACT do, and
 * the poll is managed code: a probe in it that calls would poll again, without end. */
static bool polls_for_gc(const struct module *meta, uint32_t rid)
{
    struct str name = row_string(&meta->md, COL_MethodDef_Name, rid);
    return str_is(meta->name, "System.Private.CoreLib") && str_glob(STR("*PollGC*"), name);
}

void method_choose_form(struct counter_block *place, uint32_t rid, const struct flow *flow,
                        const struct plan *plan, struct arena *scratch)
{
    struct placed_method *method = &place->methods[rid - 1];
    method->looks_first = place->mode == MODE_HIT && g_profiler.contexts == NULL &&
                          rewrite_should_look_first(flow, plan);
    method->anchor = (struct anchor){.kind = ANCHOR_NONE};
    if (place->sharded && !method->looks_first && rewrite_can_shard(flow))
        anchor_choose(&method->anchor, flow, plan, place->may_change ? NULL : &place->spare,
                      scratch);
}

struct probe_form method_form(const struct instrumented_module *module, uint32_t rid)
{
    const struct counter_block *place = module->place;
    const struct placed_method *method = &place->methods[rid - 1];
    bool plain = place->mode == MODE_EXACT && polls_for_gc(&module->meta, rid);
    return (struct probe_form){
        .mode = plain ? MODE_COUNT : place->mode, /* counters of the same size */
        .counters = place->counters + method->first_counter * mode_counter_size(place->mode),
        .anchor = method->anchor,
        .looks_first = method->looks_first,
        .shard_table = (uint64_t)(uintptr_t)g_profiler.shards.table.entries,
        .shard_chunks = g_profiler.shards.table.chunks,
        .calls = place->sharded && method->anchor.kind == ANCHOR_NONE && !method->looks_first &&
                 module->function_sig != 0,
        .function_sig = module->function_sig,
        .function = (uint64_t)(uintptr_t)(place->sharded ? count_in_shard : add_one),
    };
}

/* --- a method's first compilation ------------------------------------------------------------- */

static bool keep_body(struct view *out, struct instrumented_module *module, struct view body)
{
    mutex_lock(&module->bodies_lock);
    bool kept = view_copy(out, body, &module->bodies, NULL);
    mutex_unlock(&module->bodies_lock);
    return kept;
}

/* The T of a Task<T>; empty: it is none. */
static struct view result_of_task(struct view type)
{
    struct view none = {NULL, 0};
    struct reader r = rd_view(type);
    if (rd_u8(&r) != ELEMENT_GENERICINST)
        return none;
    (void)rd_u8(&r);         /* CLASS or VALUETYPE */
    (void)rd_compressed(&r); /* Task */
    (void)rd_compressed(&r); /* 1 */
    size_t start = r.pos;
    return !r.failed && sig_skip_type(&r) ? (struct view){type.data + start, r.pos - start} : none;
}

/* What `ret` takes, as in the method's signature; empty: nothing. */
static struct view result_of(const struct metadata *md, uint32_t rid, bool is_async)
{
    struct method_sig sig;
    struct view none = {NULL, 0};
    struct view blob = row_blob(md, COL_MethodDef_Signature, rid);
    if (!sig_method(&sig, blob, NULL) || sig_first_element(sig.return_type) == ELEMENT_VOID)
        return none;
    if (is_async)
        return result_of_task(sig.return_type);
    struct reader r = rd_view(sig.return_type);
    return sig_skip_type(&r) ? (struct view){sig.return_type.data, r.pos} : none;
}

/* A ValueTask: it may be awaited only once, so when it ends is not known. */
static bool is_value_task(const struct metadata *md, struct view result)
{
    struct reader r = rd_view(result);
    uint8_t kind = rd_u8(&r);
    if (kind == ELEMENT_GENERICINST)
        kind = rd_u8(&r);
    uint32_t token = coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(&r));
    return kind == ELEMENT_VALUETYPE && !r.failed &&
           (type_is(md, token, "System.Threading.Tasks.ValueTask") ||
            type_is(md, token, "System.Threading.Tasks.ValueTask`1"));
}

/* Is the value type one of the core library that can be boxed? */
static bool is_boxable_of_core(struct profiler *p, struct str space, struct str name)
{
    struct module core;
    if (p->reflection.core == 0 || !instance_open_core(&core, p, NULL))
        return false;
    uint32_t rid = type_named(&core.md, space.text, name.text);
    return rid != 0 && !has_attribute(&core.md, TOKEN(TABLE_TypeDef, rid), by_ref_like, NULL);
}

/* Can a value type not be boxed, as far as is known? */
static bool may_be_by_ref_like(struct profiler *p, const struct metadata *md, uint32_t token)
{
    struct str space, name;
    uint32_t around = 0;
    if (TOKEN_TABLE(token) == TABLE_TypeDef)
        return has_attribute(md, token, by_ref_like, NULL);
    return !type_parts(&space, &name, &around, md, token) || around != 0 ||
           !str_starts(space, "System") || !is_boxable_of_core(p, space, name);
}

/* Does a type parameter allow what can't be boxed (`allows ref struct`)? */
static bool has_by_ref_like_parameter(const struct metadata *md)
{
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_GenericParam); rid++)
        if ((tables_get(&md->tables, COL_GenericParam_Flags, rid) & ALLOWS_BY_REF_LIKE) != 0)
            return true;
    return false;
}

/* The token of the type that a result is boxed as; 0: it is an object. False if it can't be. */
static bool choose_box(uint32_t *out, struct profiler *p, const struct instrumented_module *module,
                       struct view result)
{
    struct metadata_emit *emit = module->emit;
    struct reader r = rd_view(result);
    uint8_t kind = rd_u8(&r);
    bool is_instance = kind == ELEMENT_GENERICINST;
    kind = is_instance ? rd_u8(&r) : kind;
    mdTypeSpec spec = 0;
    *out = 0;
    if (kind == ELEMENT_CLASS || kind == ELEMENT_OBJECT || kind == ELEMENT_STRING ||
        kind == ELEMENT_SZARRAY || kind == ELEMENT_ARRAY)
        return true;
    if (kind == ELEMENT_VALUETYPE) {
        *out = coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(&r));
        if (r.failed || may_be_by_ref_like(p, &module->meta.md, *out))
            return false;
    } else if (kind == ELEMENT_VAR || kind == ELEMENT_MVAR) {
        if (has_by_ref_like_parameter(&module->meta.md))
            return false;
    } else if (kind < ELEMENT_BOOLEAN || kind > ELEMENT_R8) {
        return false;
    }
    if (kind == ELEMENT_VALUETYPE && !is_instance)
        return true;
    HRESULT hr = emit->vtbl->GetTokenFromTypeSpec(emit, result.data, (uint32_t)result.len, &spec);
    *out = spec;
    return SUCCEEDED(hr);
}

/* What enclosed bodies call (contexts.h). */
static struct test_hook_functions test_hook_functions(void)
{
    return (struct test_hook_functions){
        .enter = (uint64_t)(uintptr_t)contexts_enter,
        .returned = (uint64_t)(uintptr_t)contexts_returned,
        .leave = (uint64_t)(uintptr_t)contexts_leave,
        .result = (uint64_t)(uintptr_t)contexts_result,
        .took_result = (uint64_t)(uintptr_t)contexts_took_result,
        .must_start = (uint64_t)(uintptr_t)contexts_must_start,
        .refused = (uint64_t)(uintptr_t)contexts_refused,
    };
}

/* False if the method is not enclosed. */
static bool enclose_method(struct test_hook *out, struct profiler *p,
                           const struct instrumented_module *module, uint32_t rid,
                           const struct flow *flow)
{
    const struct enclosed_method *method = test_hooks_of(module->place, rid);
    const struct metadata *md = &module->meta.md;
    bool is_async = flow_is_async(flow);
    struct view result = result_of(md, rid, is_async);
    if (method == NULL || !module->place->sharded ||
        !(method->is_static ? module->encloses : module->encloses_tests))
        return false;
    *out = (struct test_hook){.functions = test_hook_functions(),
                              .tokens = &module->enclosing,
                              .number = method->number,
                              .has_object = method->has_object,
                              .starts = !method->is_static && !contexts_are_started(),
                              .gives_result = result.len != 0,
                              .how = !is_async && is_value_task(md, result) ? HITS_UNKNOWN
                                                                            : HITS_RETURNED};
    const char *why = !rewrite_can_enclose(flow) ? "it ends in `jmp`"
                      : result.len != 0 && !choose_box(&out->box, p, module, result)
                          ? "its return value cannot be kept while its end is recorded"
                          : NULL;
    struct str name = row_string(md, COL_MethodDef_Name, rid);
    if (why != NULL)
        record_warning(&p->record, "hits of %.*s in %.*s are not attributed to tests: %s",
                       STR_ARGS(name), STR_ARGS(module->meta.name), why);
    return why == NULL;
}

/* As at load, but for the test hook, which may be NULL. */
static bool rewrite_again(struct rewritten *out, const struct instrumented_module *module,
                          uint32_t rid, const struct flow *flow, const struct plan *plan,
                          const struct test_hook *test_hook, struct arena *scratch)
{
    struct probe_form form = method_form(module, rid);
    form.test_hook = test_hook;
    return rewrite(out, flow, plan, &form, scratch, scratch) == VERDICT_OK;
}

/* While no code of the method exists yet. In any doubt the method keeps the body that it has, whose
 * probes are the same. */
static bool give_enclosed(struct profiler *p, struct instrumented_module *module, uint32_t rid,
                          const struct flow *flow, const struct plan *plan,
                          struct rewritten *rewritten, struct arena *scratch)
{
    struct test_hook test_hook;
    struct view body;
    if (!enclose_method(&test_hook, p, module, rid, flow) ||
        !rewrite_again(rewritten, module, rid, flow, plan, &test_hook, scratch) ||
        !keep_body(&body, module, rewritten->body))
        return false;
    ModuleID id = atomic_load_explicit(&module->id, memory_order_relaxed);
    return SUCCEEDED(
        p->info->vtbl->SetILFunctionBody(p->info, id, TOKEN(TABLE_MethodDef, rid), body.data));
}

/* What an enclosed body has in place of `ret` calls. Without a row, the calls would be of the
 * statement before, and a debugger would stop in it once for each. Returns how many were added. */
static uint32_t map_returns(bool *kept, const struct flow *flow)
{
    uint32_t added = 0;
    for (uint32_t i = 0; i < flow->il.count; i++)
        if (flow->il.instrs[i].op == OP_RET && !kept[i]) {
            kept[i] = true;
            added++;
        }
    return added;
}

/* So that stack traces and breakpoints find their lines. A probe belongs to the instruction after
 * it, the entry sequence to the first. NULL without memory. */
static COR_IL_MAP *make_map(uint32_t *rows, const struct flow *flow,
                            const struct rewritten *rewritten, bool is_enclosed,
                            struct arena *scratch)
{
    bool *kept = ARENA_NEW(scratch, bool, rewritten->map_count, NULL);
    if (kept == NULL)
        return NULL;
    uint32_t count = mapped_places(kept, flow);
    if (is_enclosed)
        count += map_returns(kept, flow);
    COR_IL_MAP *map = ARENA_NEW(scratch, COR_IL_MAP, count, NULL);
    *rows = 0;
    for (uint32_t i = 0; map != NULL && i < rewritten->map_count; i++)
        if (kept[i])
            map[(*rows)++] = (COR_IL_MAP){rewritten->map[i].old_offset,
                                          i == 0 ? 0 : rewritten->map[i].probe_offset, 1};
    return map;
}

bool method_give_body(struct profiler *p, const struct instrumented_module *module, ModuleID id,
                      uint32_t rid)
{
    return SUCCEEDED(p->info->vtbl->SetILFunctionBody(p->info, id, TOKEN(TABLE_MethodDef, rid),
                                                      module->place->methods[rid - 1].body));
}

/* As at load: the same numbers. */
static bool plan_again(struct flow *flow, struct plan *plan,
                       const struct instrumented_module *module, uint32_t rid,
                       struct arena *scratch)
{
    return plan_body(plan, flow, counter_block_original(module->place, &module->meta, rid),
                     &module->meta.md, counter_block_nothrow(module->place), rid,
                     scratch) == VERDICT_OK;
}

/* The profiler's, or `own` if another thread has that. */
static struct arena *take_scratch(struct profiler *p, struct arena *own)
{
    if (atomic_exchange_explicit(&p->is_scratch_taken, true, memory_order_acquire)) {
        *own = ARENA_EMPTY;
        return own;
    }
    return &p->scratch;
}

static void give_back_scratch(struct profiler *p, struct arena *scratch)
{
    if (scratch != &p->scratch) {
        arena_free(scratch);
        return;
    }
    arena_reset(scratch);
    atomic_store_explicit(&p->is_scratch_taken, false, memory_order_release);
}

static void compile_first(struct profiler *p, struct instrumented_module *module, uint32_t rid,
                          FunctionID function, bool enclose)
{
    struct arena own, *scratch;
    struct flow flow;
    struct plan plan;
    struct rewritten rewritten;
    uint32_t rows = 0;
    ModuleID id = atomic_load_explicit(&module->id, memory_order_relaxed);
    if (module->is_lazy && !method_give_body(p, module, id, rid)) {
        counter_file_add_verdict(&module->place->file, VERDICT_DECLINED_BY_RUNTIME, rid);
        return;
    }
    scratch = take_scratch(p, &own);
    bool is_planned = plan_again(&flow, &plan, module, rid, scratch);
    enclose =
        is_planned && enclose && give_enclosed(p, module, rid, &flow, &plan, &rewritten, scratch);
    if (enclose ||
        (is_planned && rewrite_again(&rewritten, module, rid, &flow, &plan, NULL, scratch))) {
        COR_IL_MAP *map = make_map(&rows, &flow, &rewritten, enclose, scratch);
        if (map != NULL)
            (void)p->info->vtbl->SetILInstrumentedCodeMap(p->info, function, 1, rows, map);
    }
    give_back_scratch(p, scratch);
}

/* --- what the runtime asks -------------------------------------------------------------------- */

void method_compile(struct profiler *p, FunctionID function)
{
    ClassID class_id = 0;
    ModuleID id = 0;
    mdToken token = 0;
    HRESULT hr = p->info->vtbl->GetFunctionInfo(p->info, function, &class_id, &id, &token);
    struct instrumented_module *module = SUCCEEDED(hr) ? instance_find_module(p, id) : NULL;
    if (module == NULL || TOKEN_TABLE(token) != TABLE_MethodDef ||
        (module->may_change && hot_reload_has_changed(p, module, token, function)) ||
        TOKEN_RID(token) - 1 >= module->method_count)
        return;
    _Atomic uint8_t *where = &module->states[TOKEN_RID(token) - 1];
    uint8_t state = atomic_load_explicit(where, memory_order_acquire);
    if (state == INSTRUMENTED_HAS_OPEN_BODY || state == INSTRUMENTED_HAS_LAST_BODY) {
        bool enclose = state == INSTRUMENTED_HAS_OPEN_BODY;
        if (atomic_compare_exchange_strong_explicit(where, &state, INSTRUMENTED_BUSY,
                                                    memory_order_acquire, memory_order_acquire)) {
            compile_first(p, module, TOKEN_RID(token), function, enclose);
            atomic_store_explicit(where, INSTRUMENTED_DONE, memory_order_release);
            return;
        }
    }
    /* Another instantiation of the method is compiled for the first time on another thread: its
     * code must not be made from one body and mapped by the other. The wait is bounded, so it
     * cannot hang. */
    for (unsigned i = 0; state == INSTRUMENTED_BUSY && i < BUSY_TURNS_MAX; i++) {
        thread_yield();
        state = atomic_load_explicit(where, memory_order_acquire);
    }
}

/* May it go on on another thread after an await, in the frame that it had? */
static bool is_async(const struct profiler *p, FunctionID function)
{
    ClassID class_id = 0;
    ModuleID id = 0;
    mdToken token = 0;
    uint32_t flags = 0;
    if (FAILED(p->info->vtbl->GetFunctionInfo(p->info, function, &class_id, &id, &token)))
        return false;
    struct metadata_import *import = instance_import(p, id);
    if (import == NULL)
        return false;
    HRESULT hr = import->vtbl->GetMethodProps(import, token, NULL, NULL, 0, NULL, NULL, NULL, NULL,
                                              NULL, &flags);
    (void)import->vtbl->Release(import);
    return SUCCEEDED(hr) && (flags & IMPL_ASYNC) != 0;
}

/* When this is asked, the JIT has read the body already, so it is too late to give it. Of a method
 * inlined into a loop that awaits, the JIT would look up the shard once, before the loop. */
bool method_may_be_inlined(struct profiler *p, FunctionID caller, FunctionID function)
{
    ClassID class_id = 0;
    ModuleID id = 0;
    mdToken token = 0;
    bool may_move = p->reflection.runtime_major >= RUNTIME_ASYNC_MAJOR && p->mode != MODE_EXACT;
    if ((!atomic_load_explicit(&p->has_lazy_modules, memory_order_relaxed) && p->contexts == NULL &&
         !may_move) ||
        FAILED(p->info->vtbl->GetFunctionInfo(p->info, function, &class_id, &id, &token)))
        return true;
    const struct instrumented_module *module = instance_find_module(p, id);
    if (module == NULL || TOKEN_RID(token) - 1 >= module->method_count)
        return true;
    uint8_t state =
        atomic_load_explicit(&module->states[TOKEN_RID(token) - 1], memory_order_acquire);
    if (may_move && state != INSTRUMENTED_UNTOUCHED && is_async(p, caller))
        return false;
    if (!module->is_lazy) /* what is not enclosed yet would count for nobody */
        return p->contexts == NULL ||
               (state != INSTRUMENTED_HAS_OPEN_BODY && state != INSTRUMENTED_BUSY);
    return state == INSTRUMENTED_UNTOUCHED || state == INSTRUMENTED_DONE;
}

/* A method that fails here continues to run unchanged, so it is not known whether it ran. */
static void give_at_rejit(struct instrumented_module *module, uint32_t rid,
                          struct function_control *control, struct arena *scratch)
{
    struct flow flow;
    struct plan plan;
    struct rewritten new;
    uint32_t rows = 0;
    uint8_t declined = VERDICT_DECLINED_MEMORY;
    if (plan_again(&flow, &plan, module, rid, scratch) &&
        rewrite_again(&new, module, rid, &flow, &plan, NULL, scratch)) {
        COR_IL_MAP *map = make_map(&rows, &flow, &new, false, scratch);
        if (SUCCEEDED(control->vtbl->SetILFunctionBody(control, (uint32_t) new.body.len,
                                                       new.body.data))) {
            if (map != NULL)
                (void)control->vtbl->SetILInstrumentedCodeMap(control, rows, map);
            return;
        }
        declined = VERDICT_DECLINED_BY_RUNTIME;
    }
    counter_file_add_verdict(&module->place->file, declined, rid);
}

/* The runtime asks once per request, whatever it then compiles: all tiers, all instantiations. */
void method_recompile(struct profiler *p, ModuleID id, mdMethodDef token,
                      struct function_control *control)
{
    struct instrumented_module *module = instance_find_module(p, id);
    uint32_t rid = TOKEN_RID(token);
    struct arena own;
    if (module == NULL || rid - 1 >= module->method_count ||
        atomic_load_explicit(&module->states[rid - 1], memory_order_acquire) !=
            INSTRUMENTED_BY_REJIT) {
        rejit_note_inliner(p, id, token);
        return;
    }
    struct arena *scratch = take_scratch(p, &own);
    give_at_rejit(module, rid, control, scratch);
    give_back_scratch(p, scratch);
}

#include "profiler/instrument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex.h"
#include "base/path.h"
#include "base/utf16.h"
#include "profiler/hot_reload.h"
#include "profiler/kept_image.h"
#include "profiler/layout.h"
#include "profiler/method.h"
#include "profiler/reflection.h"
#include "profiler/rejit.h"
#include "profiler/signatures.h"
#include "profiler/test_hooks.h"
#include "rewriter/nothrow.h"
#include "rewriter/stack.h"

enum {
    PATH_UNITS_MAX = 2048,
    STAYS_ASYNC_MAJOR = 10, /* .NET; see decline_runtime_async */
};

/* The method's IL; empty if it has none. What is not in the image, somebody else has changed: it
 * stays as it is. */
static struct view read_body(struct profiler *p, const struct module *meta, ModuleID id,
                             uint32_t rid)
{
    struct method_def def;
    const uint8_t *body = NULL;
    uint32_t len = 0;
    if (!module_method(&def, meta, rid) ||
        FAILED(p->info->vtbl->GetILFunctionBody(p->info, id, TOKEN(TABLE_MethodDef, rid), &body,
                                                &len)) ||
        body == NULL || len > def.body.len || memcmp(body, def.body.data, len) != 0)
        return (struct view){NULL, 0};
    return (struct view){def.body.data, len};
}

static void identify_code(struct profiler *p, struct layout_job *job, ModuleID id, struct str path,
                          enum count_mode mode)
{
    const struct module *meta = &job->module->meta;
    code_identity_start(&job->identity, meta, path, mode, job->module->may_change);
    for (uint32_t rid = 1; rid <= job->identity.method_count; rid++)
        code_identity_add(&job->identity, rid, read_body(p, meta, id, rid));
}

static struct view original_of(const void *job, uint32_t rid)
{
    const struct layout_job *of = job;
    return counter_block_original(of->spare, &of->module->meta, rid);
}

/* Has the body a `tail.`, or calls itself right before `ret`? By its bytes alone. */
static bool may_call_tail(struct view body, uint32_t rid)
{
    static const uint8_t tail[] = {0xFE, 0x14};
    uint8_t call[] = {0x28, 0, 0, 0, 0, 0x2A}, callvirt[] = {0x6F, 0, 0, 0, 0, 0x2A};
    store_u32(call + 1, TOKEN(TABLE_MethodDef, rid));
    store_u32(callvirt + 1, TOKEN(TABLE_MethodDef, rid));
    return body.len != 0 && (memmem(body.data, body.len, tail, sizeof tail) != NULL ||
                             memmem(body.data, body.len, call, sizeof call) != NULL ||
                             memmem(body.data, body.len, callvirt, sizeof callvirt) != NULL);
}

static bool prepare_place(struct profiler *p, struct layout_job *job, ModuleID id)
{
    const struct module *meta = &job->module->meta;
    job->spare = instance_take_place(p);
    if (job->spare == NULL || !counter_block_start(job->spare, &job->identity))
        return false;
    for (uint32_t rid = 1; rid <= job->identity.method_count; rid++) {
        struct view body = read_body(p, meta, id, rid);
        job->spare->methods[rid - 1].original_len = (uint32_t)body.len;
        job->calls_tail |= p->mode == MODE_COUNT && may_call_tail(body, rid);
    }
    if (p->contexts != NULL && !test_hooks_find(p, job->spare, &meta->md, job->has_tests))
        return false;
    spare_locals_find(&job->spare->spare, &meta->md, &job->arena);
    return job->spare->may_change || find_nothrow(&job->spare->nothrow, &meta->md, original_of, job,
                                                  &job->spare->arena, &job->scratch);
}

static uint32_t give_bodies(struct profiler *p, struct layout_job *job, ModuleID id)
{
    struct instrumented_module *module = job->module;
    uint32_t given = 0;
    for (uint32_t rid = 1; rid <= module->method_count; rid++) {
        if (job->verdicts[rid - 1] != VERDICT_OK)
            continue;
        if (!module->is_lazy && !method_give_body(p, module, id, rid)) {
            job->verdicts[rid - 1] = VERDICT_DECLINED_BY_RUNTIME;
            continue;
        }
        module->states[rid - 1] = test_hooks_of(module->place, rid) != NULL
                                      ? INSTRUMENTED_HAS_OPEN_BODY
                                      : INSTRUMENTED_HAS_LAST_BODY;
        given++;
    }
    return given;
}

static void record_instrumented(struct profiler *p, const struct layout_job *job, struct str path,
                                uint32_t given)
{
    const struct instrumented_module *module = job->module;
    char mvid[HEX_ROOM(sizeof module->meta.mvid)], methods[16], declined[16];
    uint32_t declined_count = 0;
    for (uint32_t i = 0; i < module->method_count; i++)
        declined_count += job->verdicts[i] > VERDICT_OK;
    (void)snprintf(methods, sizeof methods, "%u", given);
    (void)snprintf(declined, sizeof declined, "%u", declined_count);
    const struct str fields[] = {module->meta.name, path,
                                 str_of(hex_of(mvid, module->meta.mvid, sizeof module->meta.mvid)),
                                 str_of(methods), str_of(declined)};
    record_line(&p->record, "instrumented", fields, ARRAY_LEN(fields));
}

/* `why`: of REASON_ERROR, else empty. */
static void record_skipped(struct profiler *p, struct str name, struct str path,
                           enum reason_code reason, const char *why)
{
    const struct str fields[] = {name, path};
    record_reason(&p->record, "skipped", fields, ARRAY_LEN(fields), reason, str_of(why));
}

/* Signatures of ours make the runtime copy the module's metadata, for each load anew. */
static bool needs_signatures(const struct profiler *p, const struct layout_job *job,
                             const struct counter_block *found)
{
    if (job->module->may_change)
        return false;
    if (p->contexts != NULL || p->mode == MODE_EXACT)
        return true;
    if (p->mode == MODE_HIT && !job->module->meta.md.optimised) /* each probe looks first */
        return false;
    if (found != NULL)
        return found->function_sig != 0;
    return !spare_locals_serve_all(&job->spare->spare) || job->calls_tail;
}

static const struct counter_block *find_equal_place(struct profiler *p,
                                                    const struct layout_job *job)
{
    mutex_lock(&p->layout_lock);
    const struct counter_block *found = layout_find_place(p, job);
    mutex_unlock(&p->layout_lock);
    return found;
}

static bool open_instrumented_module(struct profiler *p, struct layout_job *job, ModuleID id,
                                     const struct module *meta, struct str path)
{
    struct instrumented_module *module = job->module;
    uint32_t count = tables_rows(&meta->md.tables, TABLE_MethodDef);
    module->meta = *meta;
    module->method_count = count;
    module->may_change = !p->attached && hot_reload_may_change(p, id, meta);
    module->is_lazy = false;
    module->precompiled = meta->pe.ready_to_run;
    module->emit = NULL;
    module->function_sig = module->core_ref = 0;
    module->encloses = module->encloses_tests = false;
    module->states = calloc(count + 1, sizeof *module->states);
    job->verdicts = ARENA_NEW(&job->arena, uint8_t, count, NULL);
    /* the call of exact probes needs a signature */
    bool exact = p->mode == MODE_EXACT && !module->may_change;
    enum count_mode mode = p->mode == MODE_EXACT && !exact ? MODE_COUNT : p->mode;
    if (module->states == NULL || job->verdicts == NULL)
        return false;
    identify_code(p, job, id, path, mode);
    const struct counter_block *found = find_equal_place(p, job);
    if (found == NULL && !prepare_place(p, job, id))
        return false;
    if (needs_signatures(p, job, found))
        signatures_open(p, module, id);
    if (p->contexts != NULL)
        test_hooks_define(p, module, job->has_tests);
    return !exact || module->function_sig != 0;
}

static uint32_t decline_all_bodies(struct profiler *p, struct layout_job *job, HRESULT hr)
{
    struct instrumented_module *module = job->module;
    for (uint32_t i = 0; i < module->method_count; i++) {
        atomic_store_explicit(&module->states[i], INSTRUMENTED_UNTOUCHED, memory_order_relaxed);
        if (job->verdicts[i] == VERDICT_OK)
            job->verdicts[i] = VERDICT_DECLINED_BY_RUNTIME;
    }
    record_warning(&p->record, "%.*s is not counted: the runtime answers 0x%08x to RequestReJIT",
                   STR_ARGS(module->meta.name), (unsigned)hr);
    return 0;
}

/* Up to .NET 10, ReJIT silently keeps the code of a runtime-async method that is already compiled:
 * one without counters, or later one with them. */
static void decline_runtime_async(const struct profiler *p, struct layout_job *job)
{
    const struct tables *tables = &job->module->meta.md.tables;
    if (p->reflection.runtime_major > STAYS_ASYNC_MAJOR)
        return;
    for (uint32_t rid = 1; rid <= job->module->method_count; rid++)
        if (job->verdicts[rid - 1] == VERDICT_OK &&
            (tables_get(tables, COL_MethodDef_ImplFlags, rid) & IMPL_ASYNC) != 0)
            job->verdicts[rid - 1] = VERDICT_DECLINED_RUNTIME_ASYNC;
}

/* For code that may already be running. */
static uint32_t request_bodies(struct profiler *p, struct layout_job *job, ModuleID id)
{
    struct instrumented_module *module = job->module;
    uint32_t count = 0;
    decline_runtime_async(p, job);
    for (uint32_t rid = 1; rid <= module->method_count; rid++) {
        if (job->verdicts[rid - 1] != VERDICT_OK)
            continue;
        atomic_store_explicit(&module->states[rid - 1], INSTRUMENTED_BY_REJIT,
                              memory_order_release);
        count++;
    }
    HRESULT hr = rejit_module(p, module, id);
    return SUCCEEDED(hr) ? count : decline_all_bodies(p, job, hr);
}

/* Does everything for a module in scope. False if it stays unchanged: then only its counts are
 * lost. */
static bool cover_methods(struct profiler *p, struct layout_job *job, ModuleID id,
                          const struct module *meta, struct str path)
{
    struct instrumented_module *module = job->module;
    if (!open_instrumented_module(p, job, id, meta, path))
        return false;
    mutex_lock(&p->layout_lock);
    bool shared = false;
    bool laid_out = layout_make(p, job, &shared);
    mutex_unlock(&p->layout_lock);
    if (!laid_out)
        return false;
    module->is_lazy = shared && !p->attached && !module->may_change;
    if (module->is_lazy)
        atomic_store_explicit(&p->has_lazy_modules, true, memory_order_relaxed);
    for (uint32_t i = 0; i < module->method_count; i++)
        job->verdicts[i] = module->place->methods[i].verdict;
    instance_pin_library();
    atomic_store_explicit(&module->id, id, memory_order_release);
    uint32_t given = p->attached ? request_bodies(p, job, id) : give_bodies(p, job, id);
    (void)atomic_fetch_add_explicit(&p->instrumented, given, memory_order_relaxed);
    counter_file_add_verdicts(&module->place->file, job->verdicts, module->method_count);
    if (module->place->file.head == NULL)
        record_skipped(p, module->meta.name, path, REASON_NO_ROOM, "");
    else if (!shared)
        record_instrumented(p, job, path, given);
    return true;
}

static void keep_copies(struct profiler *p, ModuleID id, const struct instrumented_module *module,
                        struct str path)
{
    kept_image_write(p, module, path);
    if (!path_is_absolute(path)) /* it has no file, only a name */
        kept_symbols_write(p, id, &module->meta);
}

static void cover_module(struct profiler *p, ModuleID id, const struct module *meta,
                         struct str path, bool has_tests)
{
    struct layout_job job = {.module = instance_take_module(p), .has_tests = has_tests};
    job.arena = ARENA_EMPTY;
    job.scratch = ARENA_EMPTY;
    if (job.module != NULL && cover_methods(p, &job, id, meta, path)) {
        if (!job.is_loss_reported) /* else nobody reads them */
            keep_copies(p, id, job.module, path);
    } else {
        record_skipped(p, meta->name, path, REASON_NO_MEMORY, "");
        if (!job.is_loss_reported)
            record_warning(&p->record,
                           "the counts of %.*s are lost: no memory for its counters or new bodies",
                           STR_ARGS(meta->name));
        if (job.module != NULL) {
            signatures_close(job.module);
            instance_release_module(job.module);
        }
    }
    instance_give_back_place(p, job.spare);
    arena_free(&job.scratch);
    arena_free(&job.arena);
}

/* Precompiled code of a module in scope would run without probes, and other precompiled code may
 * have inlined it. So from the first such module on, the runtime must ask before each use of
 * precompiled code. */
static void watch_precompiled(struct profiler *p, const struct module *meta, bool in_scope)
{
    if (!meta->pe.ready_to_run || p->attached) /* ReJIT never uses precompiled code */
        return;
    if (in_scope && meta->pe.composite_component)
        atomic_store_explicit(&p->veto_everything, true, memory_order_relaxed);
    HRESULT hr = instance_add_events(p, COR_PRF_MONITOR_CACHE_SEARCHES);
    if (FAILED(hr))
        record_warning(&p->record,
                       "precompiled code of %.*s is not counted: the runtime answers 0x%08x",
                       STR_ARGS(meta->name), (unsigned)hr);
}

/* .NET Core 3.1 reports version 4.0.30319, as .NET Framework does; but an installed one is in a
 * folder named after its version. */
enum {
    FRAMEWORK_MAJOR = 4,
    CORE_MAJOR = 3
};

/* Called for System.Private.CoreLib, the first module to load; the runtime is in its directory. */
static void record_runtime(struct profiler *p)
{
    uint16_t instance = 0, major = 0, minor = 0, build = 0, fix = 0;
    COR_PRF_RUNTIME_TYPE type = COR_PRF_CORE_CLR;
    char text[32] = "?";
    HRESULT hr = p->info->vtbl->GetRuntimeInformation(p->info, &instance, &type, &major, &minor,
                                                      &build, &fix, 0, NULL, NULL);
    if (SUCCEEDED(hr))
        (void)snprintf(text, sizeof text, "%u.%u.%u", major, minor, build);
    struct str version = str_of(text), folder = path_file(str_of(p->framework_dir));
    if (major == FRAMEWORK_MAJOR) {
        major = CORE_MAJOR;
        version = str_starts(folder, "3.") ? folder : STR("Core");
    }
    p->reflection.runtime_major = major;
    const struct str fields[] = {version, str_of(p->framework_dir)};
    record_line(&p->record, "runtime", fields, ARRAY_LEN(fields));
}

static void learn_runtime(struct profiler *p, ModuleID id, struct str path)
{
    if (!str_is(path_file(path), "System.Private.CoreLib.dll"))
        return;
    if (!p->attached) /* after ReJIT, GetMethodBody still shows the original */
        p->reflection.core = id;
    if (p->framework_dir[0] == '\0') /* it stays empty in a single-file program */
        (void)snprintf(p->framework_dir, sizeof p->framework_dir, "%.*s", STR_ARGS(path_dir(path)));
    record_runtime(p);
}

/* The file name without .dll: the most likely name of an assembly that is not opened. */
static struct str likely_name(struct str path)
{
    struct str name = path_file(path);
    if (str_ends(name, ".dll"))
        name.len -= 4;
    return name;
}

/* What is known about a module when it loads; too large for the stack of a target's thread. */
struct arrival {
    WCHAR name[PATH_UNITS_MAX];
    char path[PATH_UNITS_MAX * 2];
    struct module meta;
};

/* `reason`: why to skip the module, or REASON_NONE if its contents decide. */
static void inspect_module(struct profiler *p, ModuleID id, const uint8_t *base, uint32_t flags,
                           struct arrival *arrival, enum reason_code reason)
{
    struct module *meta = &arrival->meta;
    struct str path = str_of(arrival->path);
    struct err err;
    if (!instance_open_image(meta, base, flags, &err)) {
        record_skipped(p, likely_name(path), path, REASON_ERROR, err.text);
        return;
    }
    bool has_readable_symbols = path_is_absolute(path) ||
                                kept_symbols_find(&meta->debug.is_pdb_in_memory, p, id, meta, &err);
    if (reason == REASON_NONE)
        reason = scope_skip_reason(&p->scope, meta, path, str_of(p->framework_dir));
    if (reason == REASON_NO_PDB_BESIDE && !has_readable_symbols) {
        record_skipped(p, meta->name, path, REASON_ERROR, err.text);
        return;
    }
    if (reason == REASON_NONE && p->attached && hot_reload_may_change(p, id, meta))
        reason = REASON_HOT_RELOAD;
    watch_precompiled(p, meta, reason == REASON_NONE);
    if (!p->attached)
        reflection_watch(p, id, meta);
    if (reason == REASON_NO_PDB_BESIDE && !kept_image_same_root(p))
        record_warning(&p->record,
                       "%.*s was not measured (has no symbols: its .pdb is not there): it loaded "
                       "after its process had changed its root directory",
                       STR_ARGS(meta->name));
    if (p->contexts != NULL)
        test_hooks_keep_flow(p, id, meta);
    bool has_tests = p->contexts != NULL && scope_has_tests(meta);
    if (reason == REASON_NONE ||
        (has_tests && scope_may_have_contexts(reason) &&
         scope_is_tests_of_user(&p->scope, meta, path, str_of(p->framework_dir))))
        cover_module(p, id, meta, path, has_tests);
    else
        record_skipped(p, meta->name, path, reason, "");
}

/* Why the module can't get new IL, whatever it contains; or REASON_NONE. */
static enum reason_code fixed_reason(const struct profiler *p, uint32_t flags)
{
    if ((flags & (COR_PRF_MODULE_DYNAMIC | COR_PRF_MODULE_RESOURCE)) != 0)
        return REASON_MADE_AT_RUN_TIME;
    if (p->attached && (flags & COR_PRF_MODULE_COLLECTIBLE) != 0)
        return REASON_COLLECTIBLE;
    return REASON_NONE;
}

static void meet_module(struct profiler *p, ModuleID id, struct arrival *arrival)
{
    const uint8_t *base = NULL;
    uint32_t units = 0, flags = 0;
    AssemblyID assembly = 0;
    HRESULT hr = p->info->vtbl->GetModuleInfo2(p->info, id, &base, PATH_UNITS_MAX, &units,
                                               arrival->name, &assembly, &flags);
    if (FAILED(hr))
        return;
    bool cut = units > PATH_UNITS_MAX; /* by the runtime, to fit the buffer */
    units = cut ? PATH_UNITS_MAX : units;
    size_t len = utf16_to_utf8(arrival->path, sizeof arrival->path, (const uint16_t *)arrival->name,
                               units != 0 ? units - 1 : 0);
    cut |= len >= sizeof arrival->path;
    struct str where = str_of(arrival->path);
    if (contexts_are_program(p, where))
        return;
    learn_runtime(p, id, where);
    enum reason_code reason = fixed_reason(p, flags);
    if (reason == REASON_NONE)
        reason = scope_skip_by_path(&p->scope, where, str_of(p->framework_dir));
    if (reason != REASON_NONE)
        record_skipped(p, likely_name(where), where, reason, "");
    else
        inspect_module(p, id, base, flags, arrival, cut ? REASON_LONG_PATH : REASON_NONE);
}

void instrument_module(struct profiler *p, ModuleID id)
{
    struct arena arena = ARENA_EMPTY;
    struct arrival *arrival = ARENA_NEW(&arena, struct arrival, 1, NULL);
    if (arrival != NULL)
        meet_module(p, id, arrival);
    else
        record_warning(&p->record, "the counts of a module are lost: no memory to look at it");
    arena_free(&arena);
}

void instrument_with_symbols(struct profiler *p, ModuleID id)
{
    const struct instrumented_module *module = instance_find_module(p, id);
    if (module != NULL)
        kept_symbols_write(p, id, &module->meta);
    else
        instrument_module(p, id);
}

bool instrument_allows_precompiled(struct profiler *p, FunctionID function)
{
    ClassID class_id = 0;
    ModuleID id = 0;
    mdToken token = 0;
    if (atomic_load_explicit(&p->veto_everything, memory_order_relaxed))
        return false;
    HRESULT hr = p->info->vtbl->GetFunctionInfo(p->info, function, &class_id, &id, &token);
    return FAILED(hr) ||
           (instance_find_module(p, id) == NULL && !reflection_has_changed(p, id, token));
}

void instrument_decline_method(struct profiler *p, ModuleID id, mdMethodDef token)
{
    const struct instrumented_module *module = instance_find_module(p, id);
    uint32_t rid = TOKEN_RID(token);
    if (module == NULL || TOKEN_TABLE(token) != TABLE_MethodDef || rid - 1 >= module->method_count)
        return;
    atomic_store_explicit(&module->states[rid - 1], INSTRUMENTED_UNTOUCHED, memory_order_release);
    counter_file_add_verdict(&module->place->file, VERDICT_DECLINED_BY_RUNTIME, rid);
}

void instrument_forget_module(struct profiler *p, ModuleID id)
{
    struct instrumented_module *module = instance_find_module(p, id);
    if (module == NULL)
        return;
    atomic_store_explicit(&module->unloading, id, memory_order_relaxed);
    atomic_store_explicit(&module->id, 0, memory_order_relaxed);
    signatures_close(module);
}

void instrument_free_module(struct profiler *p, ModuleID id)
{
    struct instrumented_module *module = instance_find_unloading(p, id);
    if (module == NULL)
        return;
    atomic_store_explicit(&module->unloading, 0, memory_order_relaxed);
    instance_release_module(module);
}

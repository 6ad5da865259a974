#include "profiler/callback.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "profiler/config.h"
#include "profiler/counters.h"
#include "profiler/host.h"
#include "profiler/instrument.h"

/* --- IUnknown --------------------------------------------------------------------------------- */

static HRESULT QueryInterface(struct callback *self, const GUID *riid, void **ppvObject)
{
    static const GUID *const served[] = {&IID_IUnknown,
                                         &IID_ICorProfilerCallback,
                                         &IID_ICorProfilerCallback2,
                                         &IID_ICorProfilerCallback3,
                                         &IID_ICorProfilerCallback4,
                                         &IID_ICorProfilerCallback5,
                                         &IID_ICorProfilerCallback6,
                                         &IID_ICorProfilerCallback7,
                                         &IID_ICorProfilerCallback8,
                                         &IID_ICorProfilerCallback9,
                                         &IID_ICorProfilerCallback10,
                                         &IID_ICorProfilerCallback11};
    for (size_t i = 0; i < ARRAY_LEN(served); i++) {
        if (guid_eq(riid, served[i])) {
            *ppvObject = self;
            return S_OK;
        }
    }
    *ppvObject = NULL;
    return E_NOINTERFACE;
}

/* The object is static: it is neither made nor freed. */
static uint32_t AddRef(struct callback *self)
{
    (void)self;
    return 1;
}

static uint32_t Release(struct callback *self)
{
    (void)self;
    return 1;
}

/* --- start ------------------------------------------------------------------------------------ */

/* True when the process is to be served. Its record says so, or why not. */
static bool accept_process(struct profiler *p)
{
    struct host self, parent;
    struct err err;
    host_read_self(&self);
    host_read_parent(&parent);
    record_open(&p->record, &p->folder);
    struct str program = str_of(self.program);
    record_line(&p->record, "program", &program, 1);
    const char *reason = NULL;
    if (!config_read(&p->scope, &p->mode, p->folder.path, &p->arena, &err)) {
        reason = err.text;
        if (kept_fd(&p->record.file) < 0)
            record_trouble(&p->record, "%s was not measured: %s", self.program, err.text);
    } else {
        reason = host_decline_reason(&self, &parent, scope_names(&p->scope, host_name(&self)));
    }
    p->scope.packages = &p->packages;
    if (reason == NULL)
        return true;
    struct str field = str_of(reason);
    record_line(&p->record, "declined", &field, 1);
    return false;
}

static void learn_root(struct profiler *p)
{
    struct stat root;
    if (stat("/", &root) != 0)
        return;
    p->root_device = root.st_dev;
    p->root_inode = root.st_ino;
}

static void give_up(struct profiler *p)
{
    record_close(&p->record);
    folder_close(&p->folder);
    packages_close(&p->packages);
    arena_free(&p->arena);
    if (p->info != NULL)
        (void)p->info->vtbl->Release(p->info);
    p->info = NULL;
}

static HRESULT Initialize(struct callback *self, struct unknown *pICorProfilerInfoUnk)
{
    struct profiler *p = &g_profiler;
    void *info = NULL;
    (void)self;
    const char *session_dir = getenv(SESSION_ENV);
    if (session_dir == NULL || strlen(session_dir) >= sizeof p->folder.path)
        return CORPROF_E_PROFILER_CANCEL_ACTIVATION;
    if (FAILED(pICorProfilerInfoUnk->vtbl->QueryInterface(pICorProfilerInfoUnk,
                                                          &IID_ICorProfilerInfo5, &info)))
        return CORPROF_E_PROFILER_CANCEL_ACTIVATION;
    p->info = info;
    folder_open(&p->folder, session_dir);
    learn_root(p);
    arena_init(&p->arena, NULL, 0, ARENA_NO_LIMIT);
    packages_init(&p->packages);
    uint32_t mask = COR_PRF_MONITOR_MODULE_LOADS | COR_PRF_MONITOR_JIT_COMPILATION;
    bool accepted = accept_process(p);
    if (accepted)
        windows_init(&p->windows);
    if (accepted && scope_may_include_framework(&p->scope)) {
        mask |= COR_PRF_MONITOR_CACHE_SEARCHES;
        atomic_store_explicit(&p->searches_on, true, memory_order_relaxed);
    }
    if (!accepted || FAILED(p->info->vtbl->SetEventMask2(p->info, mask, 0))) {
        give_up(p);
        return CORPROF_E_PROFILER_CANCEL_ACTIVATION;
    }
    return S_OK;
}

/* --- what we listen to ------------------------------------------------------------------------ */

static HRESULT ModuleLoadFinished(struct callback *self, ModuleID moduleId, HRESULT hrStatus)
{
    (void)self;
    if (SUCCEEDED(hrStatus))
        instrument_module(&g_profiler, moduleId);
    return S_OK;
}

static HRESULT ModuleUnloadStarted(struct callback *self, ModuleID moduleId)
{
    (void)self;
    instrument_forget_module(&g_profiler, moduleId);
    return S_OK;
}

static HRESULT ModuleUnloadFinished(struct callback *self, ModuleID moduleId, HRESULT hrStatus)
{
    (void)self;
    if (SUCCEEDED(hrStatus))
        instrument_free_module(&g_profiler, moduleId);
    return S_OK;
}

static HRESULT JITCompilationStarted(struct callback *self, FunctionID functionId,
                                     BOOL fIsSafeToBlock)
{
    (void)self;
    (void)fIsSafeToBlock;
    instrument_method(&g_profiler, functionId);
    return S_OK;
}

static HRESULT JITCachedFunctionSearchStarted(struct callback *self, FunctionID functionId,
                                              BOOL *pbUseCachedFunction)
{
    (void)self;
    *pbUseCachedFunction = instrument_allows_precompiled(&g_profiler, functionId);
    return S_OK;
}

static HRESULT JITInlining(struct callback *self, FunctionID callerId, FunctionID calleeId,
                           BOOL *pfShouldInline)
{
    (void)self;
    (void)callerId;
    (void)calleeId;
    *pfShouldInline = 1; /* a callee has its probes from its module's load on */
    return S_OK;
}

static HRESULT LoadAsNotificationOnly(struct callback *self, BOOL *pbNotificationOnly)
{
    (void)self;
    *pbNotificationOnly = 0;
    return S_OK;
}

/* --- the rest: the mask keeps the runtime from calling it, but a vtable has no holes ---------- */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define CALLBACK(slot, name, parameters)                                                           \
    static HRESULT ignore_##name parameters                                                        \
    {                                                                                              \
        return S_OK;                                                                               \
    }
#include "profiler/cor_callback.def"
#pragma GCC diagnostic pop

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const struct callback_vtbl vtbl = {
    .QueryInterface = QueryInterface,
    .AddRef = AddRef,
    .Release = Release,
#define CALLBACK(slot, name, parameters) .name = ignore_##name,
#include "profiler/cor_callback.def"
    .Initialize = Initialize,
    .ModuleLoadFinished = ModuleLoadFinished,
    .ModuleUnloadStarted = ModuleUnloadStarted,
    .ModuleUnloadFinished = ModuleUnloadFinished,
    .JITCompilationStarted = JITCompilationStarted,
    .JITCachedFunctionSearchStarted = JITCachedFunctionSearchStarted,
    .JITInlining = JITInlining,
    .LoadAsNotificationOnly = LoadAsNotificationOnly,
};
#pragma GCC diagnostic pop

struct callback g_callback = {&vtbl};

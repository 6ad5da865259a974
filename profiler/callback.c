#include "profiler/callback.h"

#include <stdlib.h>
#include <string.h>

#include "contract/session_format.h"
#include "profiler/attach.h"
#include "profiler/contexts.h"
#include "profiler/control.h"
#include "profiler/guest.h"
#include "profiler/hot_reload.h"
#include "profiler/instrument.h"
#include "profiler/method.h"
#include "profiler/session/config.h"
#include "profiler/shards.h"
#include "profiler/walk.h"
#include "scope/host.h"
#include "system/file.h"
#include "system/process.h"

enum {
    ARGUMENTS_MAX = 64 << 10, /* of a test driver that are looked at */
    FILES_LEAST = 32,         /* the runtime alone needs 22, and up to four are kept here */
};

/* Parameters are those of the interface. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* --- IUnknown --------------------------------------------------------------------------------- */

static HRESULT QueryInterface(struct callback *self, const GUID *riid, void **ppvObject)
{
    bool is_served = guid_eq(riid, &IID_IUnknown);
    for (size_t i = 0; i < ARRAY_LEN(callback_ids); i++)
        is_served |= guid_eq(riid, &callback_ids[i]);
    *ppvObject = is_served ? self : NULL;
    return is_served ? S_OK : E_NOINTERFACE;
}

/* The object is static: it is neither allocated nor freed. */
static uint32_t count_references(struct callback *self)
{
    return 1;
}

/* --- start ------------------------------------------------------------------------------------ */

static void record_tests(void *context, struct str assembly)
{
    record_line(context, "tests", &assembly, 1);
}

/* What tells test hosts that never loaded the library from those that were never started. */
static void describe_tests(struct profiler *p, const struct host *self)
{
    record_parent(&p->record);
    if (self->asks_coverage)
        record_line(&p->record, "asks-coverage", NULL, 0);
    size_t len = 0;
    char *arguments =
        host_is_test_driver(self) ? ARENA_NEW(&p->arena, char, ARGUMENTS_MAX, NULL) : NULL;
    if (arguments != NULL &&
        process_program_arguments(arguments, &len, ARGUMENTS_MAX, PROCESS_SELF))
        host_each_tests(arguments, len, record_tests, &p->record);
}

/* Descriptors under a limit are the target's. */
static bool has_files_to_spare(struct err *err)
{
    uint64_t limit = file_open_limit();
    return limit >= FILES_LEAST ||
           err_set(err, ERR_LIMIT, "it may open %u files at once, and %d are needed (ulimit -n)",
                   (unsigned)limit, FILES_LEAST);
}

/* Is the process measured? If not, its record says why. A process that the user attached to always
 * is. */
static bool accept_process(struct config *config, struct profiler *p)
{
    struct host self, parent = {.tool = REASON_NONE};
    struct err err;
    host_read(&self, PROCESS_SELF);
    if (self.tool == REASON_COMPILER)
        host_read(&parent, PROCESS_PARENT);
    record_open(&p->record, &p->folder);
    struct str program = str_of(self.program);
    record_line(&p->record, "program", &program, 1);
    describe_tests(p, &self);
    enum reason_code reason = REASON_NONE;
    struct str subject = STR("");
    bool readable = config_read(config, &p->folder, &p->arena, &err) && has_files_to_spare(&err);
    p->scope = config->scope;
    p->scope.packages = &p->packages;
    p->mode = config->mode;
    if (!readable) {
        reason = REASON_ERROR;
        subject = str_of(err.text);
        if (kept_fd(&p->record.file) < 0)
            record_warning(&p->record, "%s was not measured: %s", self.program, err.text);
    } else if (!p->attached) {
        reason = host_decline_reason(&self, &parent, scope_names(&p->scope, host_name(&self)));
    }
    if (reason == REASON_NONE)
        return true;
    record_reason(&p->record, "declined", NULL, 0, reason, subject);
    return false;
}

static void close_profiler(struct profiler *p)
{
    record_close(&p->record);
    folder_close(&p->folder);
    packages_close(&p->packages);
    shards_close(p);
    windows_close(&p->windows);
    arena_free(&p->arena);
    arena_free(&p->scratch);
    arena_free(&p->catch_up.arena);
    arena_free(&p->rejit.arena);
    if (p->info != NULL)
        (void)p->info->vtbl->Release(p->info);
    instance_reset(p);
}

/* ICorProfilerInfo10, which has ReJIT with inliners and SuspendRuntime; else an older version. */
static bool take_info(struct profiler *p, struct unknown *info)
{
    void *taken = NULL;
    p->has_info10 = SUCCEEDED(info->vtbl->QueryInterface(info, &IID_ICorProfilerInfo10, &taken));
    if (!p->has_info10 && FAILED(info->vtbl->QueryInterface(info, &IID_ICorProfilerInfo5, &taken)))
        return false;
    p->info = taken;
    return true;
}

/* After an attach, the control thread catches up and adds ENABLE_REJIT when it is first needed,
 * because with it set, the library can't detach again. */
static bool listen_to_runtime(struct profiler *p, const struct config *config)
{
    uint32_t events = COR_PRF_MONITOR_MODULE_LOADS;
    if (!p->attached)
        events |= COR_PRF_MONITOR_JIT_COMPILATION;
    if (!p->attached && scope_may_include_framework(&p->scope))
        events |= COR_PRF_MONITOR_CACHE_SEARCHES;
    windows_init(&p->windows);
    shards_open(p);
    if (p->mode != MODE_EXACT)
        events |= COR_PRF_MONITOR_THREADS;
    if (config->per_test)
        contexts_open(p);
    if (FAILED(instance_add_events(p, events)))
        return false;
    if (config->control && !p->attached && !control_start(p))
        record_warning(&p->record, "stacks and detach are not available: no thread can be started");
    return true;
}

static HRESULT start_profiler(struct profiler *p, struct unknown *info, const char *session_dir)
{
    struct config config;
    if (session_dir == NULL || strlen(session_dir) >= sizeof p->folder.path || !take_info(p, info))
        return CORPROF_E_PROFILER_CANCEL_ACTIVATION;
    folder_open(&p->folder, session_dir);
    (void)!file_identity_root(&p->root); /* of no file, if it is not known */
    hot_reload_learn(p);
    p->arena = ARENA_EMPTY;
    p->scratch = ARENA_EMPTY;
    p->catch_up.arena = ARENA_EMPTY;
    p->rejit.arena = ARENA_EMPTY;
    packages_init(&p->packages);
    if (accept_process(&config, p) && listen_to_runtime(p, &config))
        return S_OK;
    close_profiler(p);
    return CORPROF_E_PROFILER_CANCEL_ACTIVATION;
}

static HRESULT Initialize(struct callback *self, struct unknown *pICorProfilerInfoUnk)
{
    return start_profiler(&g_profiler, pICorProfilerInfoUnk, getenv(SESSION_ENV));
}

static HRESULT InitializeForAttach(struct callback *self, struct unknown *pCorProfilerInfoUnk,
                                   void *pvClientData, uint32_t cbClientData)
{
    struct profiler *p = &g_profiler;
    char session_dir[FOLDER_PATH_MAX];
    struct err err;
    if (!attach_read_client_data(session_dir, sizeof session_dir, pvClientData, cbClientData, &err))
        return E_INVALIDARG;
    p->attached = true;
    attach_find_framework(p);
    return start_profiler(p, pCorProfilerInfoUnk, session_dir);
}

static HRESULT ProfilerAttachComplete(struct callback *self)
{
    struct profiler *p = &g_profiler;
    if (!p->has_info10)
        record_warning(&p->record,
                       "nothing can be measured: the runtime is older than .NET Core 3.0");
    else if (!control_start(p))
        record_warning(&p->record, "nothing can be measured: no thread can be started");
    return S_OK;
}

/* The library is unloaded when this returns. */
static HRESULT ProfilerDetachSucceeded(struct callback *self)
{
    control_join(&g_profiler);
    record_time(&g_profiler.record, "detached");
    close_profiler(&g_profiler);
    return S_OK;
}

/* --- events that the library handles ---------------------------------------------------------- */

/* Called whenever the process ends, unless it is killed. */
static HRESULT Shutdown(struct callback *self)
{
    record_watch_user(&g_profiler.record);
    hot_reload_finish(&g_profiler);
    contexts_finish(&g_profiler);
    return S_OK;
}

static HRESULT ModuleLoadFinished(struct callback *self, ModuleID moduleId, HRESULT hrStatus)
{
    record_watch_user(&g_profiler.record);
    if (SUCCEEDED(hrStatus) &&
        (!g_profiler.attached || catch_up_claims(&g_profiler.catch_up, moduleId)))
        instrument_module(&g_profiler, moduleId);
    return S_OK;
}

static HRESULT ModuleInMemorySymbolsUpdated(struct callback *self, ModuleID moduleId)
{
    catch_up_await(&g_profiler.catch_up, moduleId);
    instrument_with_symbols(&g_profiler, moduleId);
    return S_OK;
}

static HRESULT ModuleUnloadStarted(struct callback *self, ModuleID moduleId)
{
    if (g_profiler.attached)
        catch_up_let_go(&g_profiler.catch_up, moduleId);
    walk_let_module_go(&g_profiler);
    instrument_forget_module(&g_profiler, moduleId);
    return S_OK;
}

static HRESULT ModuleUnloadFinished(struct callback *self, ModuleID moduleId, HRESULT hrStatus)
{
    if (SUCCEEDED(hrStatus))
        instrument_free_module(&g_profiler, moduleId);
    if (g_profiler.attached)
        catch_up_forget(&g_profiler.catch_up, moduleId);
    return S_OK;
}

static HRESULT JITCompilationStarted(struct callback *self, FunctionID functionId,
                                     BOOL fIsSafeToBlock)
{
    record_watch_user(&g_profiler.record);
    method_compile(&g_profiler, functionId);
    return S_OK;
}

static HRESULT JITCachedFunctionSearchStarted(struct callback *self, FunctionID functionId,
                                              BOOL *pbUseCachedFunction)
{
    *pbUseCachedFunction = instrument_allows_precompiled(&g_profiler, functionId);
    return S_OK;
}

static HRESULT JITInlining(struct callback *self, FunctionID callerId, FunctionID calleeId,
                           BOOL *pfShouldInline)
{
    *pfShouldInline = method_may_be_inlined(&g_profiler, callerId, calleeId);
    return S_OK;
}

static HRESULT GetReJITParameters(struct callback *self, ModuleID moduleId, mdMethodDef methodId,
                                  struct function_control *pFunctionControl)
{
    method_recompile(&g_profiler, moduleId, methodId, pFunctionControl);
    return S_OK;
}

static HRESULT ReJITError(struct callback *self, ModuleID moduleId, mdMethodDef methodId,
                          FunctionID functionId, HRESULT hrStatus)
{
    if (hrStatus == CORPROF_E_MODULE_IS_ENC)
        catch_up_note_changeable(&g_profiler.catch_up, moduleId);
    instrument_decline_method(&g_profiler, moduleId, methodId);
    return S_OK;
}

/* Called by the thread itself, before its managed code. */
static HRESULT ThreadAssignedToOSThread(struct callback *self, ThreadID managedThreadId,
                                        uint32_t osThreadId)
{
    shards_meet_thread(&g_profiler, managedThreadId);
    return S_OK;
}

static HRESULT ThreadDestroyed(struct callback *self, ThreadID threadId)
{
    shards_lose_thread(&g_profiler, threadId, contexts_lose_thread);
    walk_let_thread_go(&g_profiler);
    return S_OK;
}

static HRESULT LoadAsNotificationOnly(struct callback *self, BOOL *pbNotificationOnly)
{
    *pbNotificationOnly = 0;
    return S_OK;
}

/* --- the others: the event mask disables them, but each slot of the vtable must be filled ----- */

#define CALLBACK(slot, name, parameters)                                                           \
    static HRESULT ignore_##name parameters                                                        \
    {                                                                                              \
        return S_OK;                                                                               \
    }
#include "profiler/cor_callback.def"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const struct callback_vtbl vtbl = {
    .QueryInterface = QueryInterface,
    .AddRef = count_references,
    .Release = count_references,
#define CALLBACK(slot, name, parameters) .name = ignore_##name,
#include "profiler/cor_callback.def"
    .Initialize = Initialize,
    .InitializeForAttach = InitializeForAttach,
    .ProfilerAttachComplete = ProfilerAttachComplete,
    .ProfilerDetachSucceeded = ProfilerDetachSucceeded,
    .GetReJITParameters = GetReJITParameters,
    .ReJITError = ReJITError,
    .ThreadAssignedToOSThread = ThreadAssignedToOSThread,
    .ThreadDestroyed = ThreadDestroyed,
    .Shutdown = Shutdown,
    .ModuleLoadFinished = ModuleLoadFinished,
    .ModuleInMemorySymbolsUpdated = ModuleInMemorySymbolsUpdated,
    .ModuleUnloadStarted = ModuleUnloadStarted,
    .ModuleUnloadFinished = ModuleUnloadFinished,
    .JITCompilationStarted = JITCompilationStarted,
    .JITCachedFunctionSearchStarted = JITCachedFunctionSearchStarted,
    .JITInlining = JITInlining,
    .LoadAsNotificationOnly = LoadAsNotificationOnly,
};

static const struct callback_vtbl guest_vtbl = {
    .QueryInterface = QueryInterface,
    .AddRef = count_references,
    .Release = count_references,
#define CALLBACK(slot, name, parameters) .name = ignore_##name,
#include "profiler/cor_callback.def"
    .InitializeForAttach = guest_start,
    .ProfilerDetachSucceeded = guest_end,
    .ModuleUnloadStarted = guest_let_module_go,
    .ThreadDestroyed = guest_let_thread_go,
    .LoadAsNotificationOnly = guest_is_guest,
};
#pragma GCC diagnostic pop

struct callback g_callback = {&vtbl}, g_guest = {&guest_vtbl};

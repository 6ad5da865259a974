/* probe.c - a profiler that does nothing but ask the runtime what it allows;
 * tests/e2e/test_allowed.sh makes the table of docs/attach-and-detach.md from its answers.
 *
 * Attached with client data, or started with PROBE in the environment, both "FILE SITUATION"; it
 * writes lines into FILE:
 *
 *   low <bit> <hr>, high <bit> <hr>      situation "flags": SetEventMask2 with each flag alone
 *   detach <hr>                          any other: RequestProfilerDetach in that situation
 *   gone                                 ProfilerDetachSucceeded
 *
 * Source: dotnet/runtime src/coreclr/inc/corprof.idl. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "profiler/cor.h"

enum {
    TEXT_ROOM = 1024,
    SETTLED_MS = 300,
    STARTING_TRIES = 300, /* a busy machine takes long to start a program */
};

static struct {
    char text[TEXT_ROOM];
    const char *situation;
    struct profiler_info *info;
    bool attached;
    pthread_t thread;
} probe;

static void tell(const char *format, ...) PRINTF_LIKE(1, 2);

static void tell(const char *format, ...)
{
    FILE *file = fopen(probe.text, "ae");
    va_list args;
    if (file == NULL)
        return;
    va_start(args, format);
    (void)vfprintf(file, format, args);
    va_end(args);
    (void)fclose(file);
}

/* --- situations ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint32_t low, high;
    bool is_late; /* set after the start */
    bool sets_body;
} situations[] = {
    {"listening", COR_PRF_MONITOR_MODULE_LOADS | COR_PRF_MONITOR_JIT_COMPILATION, 0, false, false},
    {"searches", COR_PRF_MONITOR_CACHE_SEARCHES, 0, false, false},
    {"no-inlining", COR_PRF_DISABLE_INLINING, 0, false, false},
    {"no-precompiled", COR_PRF_DISABLE_ALL_NGEN_IMAGES, 0, false, false},
    {"no-tiering", COR_PRF_MONITOR_MODULE_LOADS, COR_PRF_HIGH_DISABLE_TIERED_COMPILATION, false,
     false},
    {"rejit", COR_PRF_ENABLE_REJIT, 0, false, false},
    {"rejit-late", COR_PRF_ENABLE_REJIT, 0, true, false},
    {"body", COR_PRF_MONITOR_MODULE_LOADS, 0, false, true},
};

static void set_flags(bool late)
{
    for (size_t i = 0; i < ARRAY_LEN(situations); i++) {
        if (strcmp(situations[i].name, probe.situation) != 0 || situations[i].is_late != late)
            continue;
        HRESULT hr =
            probe.info->vtbl->SetEventMask2(probe.info, situations[i].low, situations[i].high);
        if (FAILED(hr))
            tell("flags 0x%08x\n", (unsigned)hr);
    }
}

static void *ask_to_leave(void *argument)
{
    (void)argument;
    (void)usleep(SETTLED_MS * 1000);
    set_flags(true);
    HRESULT hr = probe.info->vtbl->RequestProfilerDetach(probe.info, 1);
    for (int i = 0; hr == CORPROF_E_RUNTIME_UNINITIALIZED && i < STARTING_TRIES; i++) {
        (void)usleep(SETTLED_MS * 1000);
        hr = probe.info->vtbl->RequestProfilerDetach(probe.info, 1);
    }
    tell("detach 0x%08x\n", (unsigned)hr);
    return NULL;
}

static void try_flags(void)
{
    for (uint32_t bit = 0; bit < 32; bit++) {
        HRESULT low = probe.info->vtbl->SetEventMask2(probe.info, 1u << bit, 0);
        (void)probe.info->vtbl->SetEventMask2(probe.info, 0, 0);
        HRESULT high = probe.info->vtbl->SetEventMask2(probe.info, 0, 1u << bit);
        (void)probe.info->vtbl->SetEventMask2(probe.info, 0, 0);
        tell("low 0x%08x 0x%08x\nhigh 0x%08x 0x%08x\n", 1u << bit, (unsigned)low, 1u << bit,
             (unsigned)high);
    }
}

static HRESULT start(struct unknown *unknown, const char *text, size_t len)
{
    void *info = NULL;
    if (len >= sizeof probe.text ||
        FAILED(unknown->vtbl->QueryInterface(unknown, &IID_ICorProfilerInfo5, &info)))
        return E_INVALIDARG;
    memcpy(probe.text, text, len);
    char *space = strrchr(probe.text, ' '); /* the path may have some */
    if (space == NULL)
        return E_INVALIDARG;
    *space = '\0';
    probe.situation = space + 1;
    probe.info = info;
    if (strcmp(probe.situation, "flags") == 0) {
        try_flags();
        return S_OK;
    }
    set_flags(false);
    return pthread_create(&probe.thread, NULL, ask_to_leave, NULL) == 0 ? S_OK : E_FAIL;
}

/* --- callbacks -------------------------------------------------------------------------------- */

static HRESULT QueryInterface(struct callback *self, const GUID *riid, void **ppvObject)
{
    (void)riid;
    *ppvObject = self;
    return S_OK;
}

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

static HRESULT Initialize(struct callback *self, struct unknown *pICorProfilerInfoUnk)
{
    const char *text = getenv("PROBE");
    (void)self;
    return text != NULL ? start(pICorProfilerInfoUnk, text, strlen(text)) : E_INVALIDARG;
}

static HRESULT InitializeForAttach(struct callback *self, struct unknown *pCorProfilerInfoUnk,
                                   void *pvClientData, uint32_t cbClientData)
{
    (void)self;
    return start(pCorProfilerInfoUnk, pvClientData, cbClientData);
}

/* The body of the first method that has one, once more. */
static HRESULT ModuleLoadFinished(struct callback *self, ModuleID moduleId, HRESULT hrStatus)
{
    const uint8_t *body = NULL;
    uint32_t len = 0;
    (void)self;
    for (uint32_t rid = 1;
         SUCCEEDED(hrStatus) && strcmp(probe.situation, "body") == 0 && rid < 100 && body == NULL;
         rid++)
        if (SUCCEEDED(probe.info->vtbl->GetILFunctionBody(probe.info, moduleId, 0x06000000u | rid,
                                                          &body, &len)))
            (void)probe.info->vtbl->SetILFunctionBody(probe.info, moduleId, 0x06000000u | rid,
                                                      body);
    return S_OK;
}

static HRESULT ProfilerDetachSucceeded(struct callback *self)
{
    (void)self;
    (void)pthread_join(probe.thread, NULL);
    tell("gone\n");
    return S_OK;
}

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
static const struct callback_vtbl callback_vtbl = {
    .QueryInterface = QueryInterface,
    .AddRef = AddRef,
    .Release = Release,
#define CALLBACK(slot, name, parameters) .name = ignore_##name,
#include "profiler/cor_callback.def"
    .Initialize = Initialize,
    .InitializeForAttach = InitializeForAttach,
    .ModuleLoadFinished = ModuleLoadFinished,
    .ProfilerDetachSucceeded = ProfilerDetachSucceeded,
};
#pragma GCC diagnostic pop

static struct callback callback = {&callback_vtbl};

/* --- the export ------------------------------------------------------------------------------- */

static HRESULT factory_QueryInterface(struct class_factory *self, const GUID *riid,
                                      void **ppvObject)
{
    (void)riid;
    *ppvObject = self;
    return S_OK;
}

static uint32_t factory_count(struct class_factory *self)
{
    (void)self;
    return 1;
}

static HRESULT CreateInstance(struct class_factory *self, struct unknown *pUnkOuter,
                              const GUID *riid, void **ppvObject)
{
    (void)self, (void)pUnkOuter, (void)riid;
    *ppvObject = &callback;
    return S_OK;
}

static HRESULT LockServer(struct class_factory *self, BOOL fLock)
{
    (void)self, (void)fLock;
    return S_OK;
}

static const struct class_factory_vtbl factory_vtbl = {factory_QueryInterface, factory_count,
                                                       factory_count, CreateInstance, LockServer};
static struct class_factory factory = {&factory_vtbl};

__attribute__((visibility("default"))) HRESULT DllGetClassObject(const GUID *rclsid,
                                                                 const GUID *riid, void **ppv);

HRESULT DllGetClassObject(const GUID *rclsid, const GUID *riid, void **ppv)
{
    (void)rclsid, (void)riid;
    *ppv = &factory;
    return S_OK;
}

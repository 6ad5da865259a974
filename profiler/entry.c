/* The library's only export: the runtime gets a class factory here, and from it the profiler or the
 * guest. */
#include <string.h>

#include "profiler/callback.h"
#include "profiler/guest.h"
#include "profiler/instance.h"

/* Parameters are those of the interfaces. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* PROFILER_CLSID, GUEST_CLSID and LONE_GUEST_CLSID of session_format.h, as the runtime passes
 * them. */
enum {
    PROFILER,
    GUEST,
    LONE_GUEST,
    OBJECTS
};
static const GUID clsids[OBJECTS] = {
    {0x1c0fc0de, 0x5eed, 0x4c0f, {0xa1, 0x1c, 0xc0, 0xde, 0xc0, 0xde, 0x11, 0xc0}},
    {0x1c0fc0de, 0x5eed, 0x4c0f, {0xa1, 0x1c, 0xc0, 0xde, 0xc0, 0xde, 0x5e, 0xed}},
    {0x1c0fc0de, 0x5eed, 0x4c0f, {0xa1, 0x1c, 0xc0, 0xde, 0xc0, 0xde, 0x5e, 0xee}}};
static struct class_factory factories[OBJECTS];

static HRESULT query_factory(struct class_factory *self, const GUID *riid, void **ppvObject)
{
    bool served = guid_eq(riid, &IID_IUnknown) || guid_eq(riid, &IID_IClassFactory);
    *ppvObject = served ? self : NULL;
    return served ? S_OK : E_NOINTERFACE;
}

static uint32_t count_factory_references(struct class_factory *self)
{
    return 1;
}

/* The factory itself refuses a second profiler: a runtime that learns it only from the object keeps
 * the library loaded forever, even after the first profiler has detached. */
static HRESULT create_instance(struct class_factory *self, struct unknown *pUnkOuter,
                               const GUID *riid, void **ppvObject)
{
    *ppvObject = NULL;
    if (pUnkOuter != NULL)
        return CLASS_E_NOAGGREGATION;
    if (self != &factories[PROFILER])
        return guest_admit(self == &factories[LONE_GUEST])
                   ? g_guest.vtbl->QueryInterface(&g_guest, riid, ppvObject)
                   : CORPROF_E_PROFILER_DETACHING;
    if (g_profiler.info != NULL)
        return CORPROF_E_PROFILER_ALREADY_ACTIVE;
    return g_callback.vtbl->QueryInterface(&g_callback, riid, ppvObject);
}

static HRESULT lock_server(struct class_factory *self, BOOL fLock)
{
    return S_OK;
}

static const struct class_factory_vtbl vtbl = {query_factory, count_factory_references,
                                               count_factory_references, create_instance,
                                               lock_server};
static struct class_factory factories[OBJECTS] = {{&vtbl}, {&vtbl}, {&vtbl}};

__attribute__((visibility("default"))) HRESULT DllGetClassObject(const GUID *rclsid,
                                                                 const GUID *riid, void **ppv);

HRESULT DllGetClassObject(const GUID *rclsid, const GUID *riid, void **ppv)
{
    *ppv = NULL;
    for (size_t i = 0; i < OBJECTS; i++)
        if (guid_eq(rclsid, &clsids[i]))
            return query_factory(&factories[i], riid, ppv);
    return CLASS_E_CLASSNOTAVAILABLE;
}

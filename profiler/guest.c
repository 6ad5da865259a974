#include "profiler/guest.h"

#include "profiler/attach.h"
#include "profiler/control.h"
#include "profiler/walk.h"

/* Parameters are those of the interfaces. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Apart from g_profiler, which may be measuring. Started and ended by the runtime's threads, one
 * after another; its callbacks read `control` alone. */
static struct profiler guest;

static bool is_alone; /* the factory writes it; the runtime then asks, on the same thread */

bool guest_admit(bool alone)
{
    if (guest.info != NULL)
        return false;
    is_alone = alone;
    return true;
}

/* contract/protocol.h. What a guest requests is not enabled if the runtime leaves it out. */
static HRESULT see_nothing(FunctionID funcId, uintptr_t ip, COR_PRF_FRAME_INFO frameInfo,
                           uint32_t contextSize, uint8_t *context, void *clientData)
{
    return S_OK;
}

static HRESULT request_events(void)
{
    HRESULT hr =
        instance_add_events(&guest, COR_PRF_MONITOR_MODULE_LOADS | COR_PRF_MONITOR_THREADS |
                                        COR_PRF_ENABLE_STACK_SNAPSHOT);
    if (FAILED(hr))
        return hr;
    hr = guest.info->vtbl->DoStackSnapshot(guest.info, 0, see_nothing, COR_PRF_SNAPSHOT_DEFAULT,
                                           NULL, NULL, 0);
    return hr == CORPROF_E_INCONSISTENT_WITH_FLAGS ? hr : S_OK;
}

static HRESULT dismiss_guest(HRESULT hr)
{
    folder_close(&guest.folder);
    if (guest.info != NULL)
        (void)guest.info->vtbl->Release(guest.info);
    instance_reset(&guest);
    return hr;
}

HRESULT guest_start(struct callback *self, struct unknown *pCorProfilerInfoUnk, void *pvClientData,
                    uint32_t cbClientData)
{
    char session[FOLDER_PATH_MAX];
    void *info = NULL;
    instance_reset(&guest);
    if (!attach_read_client_data(session, sizeof session, pvClientData, cbClientData, NULL))
        return E_INVALIDARG;
    if (FAILED(pCorProfilerInfoUnk->vtbl->QueryInterface(pCorProfilerInfoUnk,
                                                         &IID_ICorProfilerInfo10, &info)))
        return E_NOINTERFACE;
    guest.info = info;
    guest.has_info10 = true;
    guest.control.answers_once = true;
    folder_open(&guest.folder, session);
    HRESULT hr = request_events();
    if (SUCCEEDED(hr) && control_start(&guest))
        return S_OK;
    return dismiss_guest(FAILED(hr) ? hr : E_OUTOFMEMORY);
}

/* Who brought it takes the socket's end for that of its visit. */
HRESULT guest_end(struct callback *self)
{
    control_join(&guest);
    folder_remove(&guest.folder, guest.control.name);
    return dismiss_guest(S_OK);
}

HRESULT guest_let_module_go(struct callback *self, ModuleID moduleId)
{
    walk_let_module_go(&guest);
    return S_OK;
}

HRESULT guest_let_thread_go(struct callback *self, ThreadID threadId)
{
    walk_let_thread_go(&guest);
    return S_OK;
}

HRESULT guest_is_guest(struct callback *self, BOOL *pbNotificationOnly)
{
    *pbNotificationOnly = !is_alone;
    return S_OK;
}

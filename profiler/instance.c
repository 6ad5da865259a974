#include "profiler/instance.h"

#include <stdlib.h>
#include <string.h>

#include "system/library.h"

#define AT_START                                                                                   \
    {                                                                                              \
        .control = {.listener = {.fd = -1}}, .folder = {.directory = {.fd = -1}},                  \
        .record = {.file = {.fd = -1}},                                                            \
    }

struct profiler g_profiler = AT_START;

void instance_reset(struct profiler *p)
{
    static const struct profiler at_start = AT_START;
    memcpy(p, &at_start, sizeof *p);
}

void instance_pin_library(void)
{
    library_pin(&g_profiler);
}

bool instance_open_image(struct module *out, const uint8_t *base, uint32_t flags, struct err *err)
{
    enum {
        HEADERS_LEN = 4096 /* of an image in memory: always readable */
    };
    size_t len = 0;
    bool mapped = (flags & COR_PRF_MODULE_FLAT_LAYOUT) == 0;
    if (base == NULL)
        return err_set(err, ERR_UNSUPPORTED, "has no image in memory");
    return pe_image_len(&len, base, HEADERS_LEN, mapped, err) &&
           module_open_image(out, (struct view){base, len}, mapped, err);
}

bool instance_open_core(struct module *out, struct profiler *p, struct err *err)
{
    const uint8_t *base = NULL;
    uint32_t len = 0, flags = 0;
    AssemblyID assembly = 0;
    HRESULT hr = p->info->vtbl->GetModuleInfo2(p->info, p->reflection.core, &base, 0, &len, NULL,
                                               &assembly, &flags);
    if (FAILED(hr))
        return err_set(err, ERR_UNSUPPORTED, "the runtime does not show its core library (0x%08x)",
                       (unsigned)hr);
    return instance_open_image(out, base, flags, err);
}

/* A lock, though the CLR is called: else a thread could return while another is still setting its
 * events, or an older mask could be set last. SetEventMask2 calls nobody back. */
HRESULT instance_add_events(struct profiler *p, uint32_t events)
{
    HRESULT hr = S_OK;
    mutex_lock(&p->events_lock);
    uint32_t wanted = p->events | events;
    if (wanted != p->events)
        hr = p->info->vtbl->SetEventMask2(p->info, wanted, COR_PRF_HIGH_IN_MEMORY_SYMBOLS_UPDATED);
    if (SUCCEEDED(hr))
        p->events = wanted;
    mutex_unlock(&p->events_lock);
    return hr;
}

struct metadata_import *instance_import(const struct profiler *p, ModuleID id)
{
    struct unknown *import = NULL;
    HRESULT hr =
        p->info->vtbl->GetModuleMetaData(p->info, id, ofRead, &IID_IMetaDataImport, &import);
    return SUCCEEDED(hr) ? (struct metadata_import *)(void *)import : NULL;
}

struct instrumented_module *instance_find_module(struct profiler *p, ModuleID id)
{
    if (id == 0)
        return NULL;
    struct instrumented_module *module = atomic_load_explicit(&p->modules, memory_order_acquire);
    while (module != NULL && atomic_load_explicit(&module->id, memory_order_acquire) != id)
        module = module->next;
    return module;
}

struct instrumented_module *instance_find_unloading(struct profiler *p, ModuleID id)
{
    if (id == 0)
        return NULL;
    struct instrumented_module *module = atomic_load_explicit(&p->modules, memory_order_acquire);
    while (module != NULL && atomic_load_explicit(&module->unloading, memory_order_relaxed) != id)
        module = module->next;
    return module;
}

static void push_module(struct profiler *p, struct instrumented_module *module)
{
    struct instrumented_module *head = atomic_load_explicit(&p->modules, memory_order_relaxed);
    do {
        module->next = head;
    } while (!atomic_compare_exchange_weak_explicit(&p->modules, &head, module,
                                                    memory_order_release, memory_order_relaxed));
}

struct instrumented_module *instance_take_module(struct profiler *p)
{
    struct instrumented_module *module = atomic_load_explicit(&p->modules, memory_order_acquire);
    for (; module != NULL; module = module->next)
        if (atomic_load_explicit(&module->is_free, memory_order_relaxed) &&
            atomic_exchange_explicit(&module->is_free, false, memory_order_acquire))
            return module;
    mutex_lock(&p->layout_lock);
    module = ARENA_NEW(&p->arena, struct instrumented_module, 1, NULL);
    mutex_unlock(&p->layout_lock);
    if (module == NULL)
        return NULL;
    module->bodies = ARENA_EMPTY;
    module->bodies_lock = (struct mutex){{0}};
    push_module(p, module);
    return module;
}

struct counter_block *instance_take_place(struct profiler *p)
{
    mutex_lock(&p->layout_lock);
    struct counter_block *place = p->spare_places;
    if (place != NULL)
        p->spare_places = place->next;
    else
        place = ARENA_NEW(&p->arena, struct counter_block, 1, NULL);
    mutex_unlock(&p->layout_lock);
    if (place != NULL)
        counter_block_init(place);
    return place;
}

void instance_give_back_place(struct profiler *p, struct counter_block *place)
{
    if (place == NULL)
        return;
    counter_block_free(place);
    mutex_lock(&p->layout_lock);
    place->next = p->spare_places;
    p->spare_places = place;
    mutex_unlock(&p->layout_lock);
}

void instance_release_module(struct instrumented_module *module)
{
    arena_free(&module->bodies);
    free(module->states); /* not from an arena: its blocks are larger */
    module->states = NULL;
    atomic_store_explicit(&module->is_free, true, memory_order_release);
}

#include "profiler/instance.h"

struct profiler g_profiler = {.layout_lock = PTHREAD_MUTEX_INITIALIZER, .record = {.fd = -1}};

struct covered_module *instance_find_module(struct profiler *p, ModuleID id)
{
    struct covered_module *module = atomic_load_explicit(&p->modules, memory_order_acquire);
    while (module != NULL && atomic_load_explicit(&module->id, memory_order_relaxed) != id)
        module = module->next;
    return module;
}

void instance_add_module(struct profiler *p, struct covered_module *module)
{
    struct covered_module *head = atomic_load_explicit(&p->modules, memory_order_relaxed);
    do {
        module->next = head;
    } while (!atomic_compare_exchange_weak_explicit(&p->modules, &head, module,
                                                    memory_order_release, memory_order_relaxed));
}

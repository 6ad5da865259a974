/* covered_module.h - a load of a module whose methods have probes: the data that method callbacks
 * need. Rows are in the table of instance.h. */
#ifndef ILCOV_PROFILER_COVERED_MODULE_H
#define ILCOV_PROFILER_COVERED_MODULE_H

#include <stdatomic.h>

#include "profiler/cor.h"
#include "profiler/counted_place.h"
#include "rewriter/enclosure.h"
#include "system/thread/mutex.h"

enum covered_state {
    COVERED_UNTOUCHED,     /* no IL, or refused */
    COVERED_HAS_OPEN_BODY, /* its first JITCompilationStarted gives it the enclosed one */
    COVERED_HAS_LAST_BODY, /* ... only the IL map is missing */
    COVERED_BY_REJIT,      /* gets its body when the runtime recompiles it (attached) */
    COVERED_BUSY,          /* a thread is working on it */
    COVERED_DONE,
    COVERED_CHANGED, /* the program replaced it (hot_reload.h) */
};

struct covered_module {
    /* 0: unused, or not ready yet. Written by load (release) and unload, read by JIT callbacks on
     * any thread (acquire). */
    _Atomic ModuleID id;
    /* Set between the two unload callbacks, else 0. Only these write and read it; relaxed: they run
     * in sequence. */
    _Atomic ModuleID unloading;
    /* Free for another load. Set when the module is gone (release), taken by exchange (acquire). */
    _Atomic bool is_free;
    struct covered_module *next; /* towards older; fixed before publication */
    /* points into the runtime's image, valid until the unload callback */
    struct module meta;
    struct counted_place *place; /* has counters, plan and new bodies; loads share it */
    /* enum covered_state of each method, by row: [rid - 1]. Written by ModuleLoadFinished before
     * the module is published, then by whoever moves it to BUSY (acquire) and on to DONE
     * (release). */
    _Atomic uint8_t *states;
    uint32_t method_count;
    bool may_change; /* hot_reload.h */
    /* The runtime gets each body when the method is first compiled, and until then may not inline
     * it: for each body that it was given it keeps some 46 bytes. */
    bool is_lazy;
    bool precompiled;
    uint32_t function_sig; /* token of the signature of what probes call, or 0: none does */
    struct unknown *emit;  /* IMetaDataEmit; NULL: it gets no signature of ours */
    mdToken core_ref;      /* to the core library, which was added; 0: none was */
    struct enclosure_tokens enclosing;
    bool encloses, encloses_tests; /* static constructors; all else */
    struct mutex bodies_lock;      /* guards `bodies`; never held across a call into the CLR */
    struct arena bodies;           /* enclosed ones of this load: the runtime keeps pointers */
};

#endif

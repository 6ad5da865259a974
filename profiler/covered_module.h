/* covered_module.h - a module whose methods have probes: the data that method callbacks need.
 * Rows are in the table of instance.h. */
#ifndef ILCOV_PROFILER_COVERED_MODULE_H
#define ILCOV_PROFILER_COVERED_MODULE_H

#include <pthread.h>
#include <stdatomic.h>

#include "metadata/module.h"
#include "profiler/cor.h"
#include "profiler/counter_file.h"

enum covered_state {
    COVERED_UNTOUCHED,     /* no IL, or refused */
    COVERED_HAS_ABSOLUTE,  /* its first JITCompilationStarted gives it the sharded body */
    COVERED_HAS_LAST_BODY, /* ... only the IL map is missing */
    COVERED_BY_REJIT,      /* gets its body when the runtime recompiles it (attached) */
    COVERED_BUSY,          /* a thread is working on it */
    COVERED_DONE,
    COVERED_CHANGED, /* the program replaced it (hot_reload.h) */
};

struct covered_method {
    const uint8_t *body; /* original, in the image */
    uint32_t body_len;
    uint32_t first_counter;
    /* enum covered_state. Written by ModuleLoadFinished before the module is published, then by
     * whoever moves it to BUSY (acquire) and on to DONE (release). */
    _Atomic uint8_t state;
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
    struct covered_method *methods; /* by row, 1 first: [rid - 1] */
    /* The bodies that the runtime has as long as the program changes none: [rid - 1]. NULL if it
     * can't change the module (hot_reload.h). */
    const uint8_t **given;
    uint32_t method_count;
    enum count_mode mode;
    bool precompiled;
    uint64_t counters;         /* address of counter 0 in shard 0 */
    bool sharded;              /* or all bodies are absolute */
    uint32_t probe_locals_sig; /* token of a local signature of what probes need, or 0 */
    uint32_t exact_sig;        /* MODE_EXACT: token of the probe function's signature */
    struct unknown *emit;      /* IMetaDataEmit, or NULL */
    struct counter_file file;
    pthread_mutex_t bodies_lock; /* guards `bodies`; never held across a call into the CLR */
    struct arena bodies;         /* new bodies: the runtime keeps pointers */
    struct arena arena;          /* of the methods */
};

#endif

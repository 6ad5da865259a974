/* instance.h - the one instance of the profiler, and its table of instrumented modules.
 * g_profiler is written in Initialize and read-only after, except for what its members' comments
 * say.
 * Owner: nothing here is freed: code that counts into it lives as long as the process. */
#ifndef ILCOV_PROFILER_INSTANCE_H
#define ILCOV_PROFILER_INSTANCE_H

#include <pthread.h>
#include <stdatomic.h>

#include "metadata/scope.h"
#include "profiler/cor.h"
#include "profiler/counter_file.h"
#include "profiler/record.h"
#include "rewriter/verdict.h"

enum method_state {
    METHOD_UNTOUCHED,     /* no IL, or refused */
    METHOD_HAS_ABSOLUTE,  /* its first JITCompilationStarted gives it the sharded body */
    METHOD_HAS_LAST_BODY, /* ... only the IL map is owed */
    METHOD_BUSY,          /* a thread is at it */
    METHOD_DONE,
};

struct covered_method {
    const uint8_t *body; /* original, in the image */
    uint32_t body_len;
    uint32_t first_counter;
    /* enum method_state. Written by ModuleLoadFinished before the module is published, then by
     * whoever moves it to BUSY (acquire) and on to DONE (release). */
    _Atomic uint8_t state;
};

struct covered_module {
    /* 0 once unloaded. Written by load and unload, read by JIT callbacks on any thread; relaxed:
     * the runtime itself orders a module's load, its methods' compilation and its unload. */
    _Atomic ModuleID id;
    struct covered_module *next; /* towards older; fixed before publication */
    /* points into the runtime's image, valid until the unload callback */
    struct module meta;
    struct covered_method *methods; /* by row, 1 first: [rid - 1] */
    uint32_t method_count;
    enum count_mode mode;
    bool precompiled;
    uint64_t counters;     /* address of counter 0 in shard 0 */
    uint32_t shard_count;  /* 1: all bodies absolute */
    uint32_t two_ints_sig; /* token of a local signature of two native ints, or 0 */
    uint32_t exact_sig;    /* MODE_EXACT: token of the probe function's signature */
    struct unknown *emit;  /* IMetaDataEmit, or NULL */
    struct counter_file file;
    pthread_mutex_t bodies_lock; /* guards `bodies`; never held across a call into the CLR */
    struct arena bodies;         /* new bodies: the runtime keeps pointers */
    struct arena arena;
};

struct profiler {
    struct profiler_info *info; /* ICorProfilerInfo5 or later */
    char session_dir[1024];
    struct scope scope;
    struct packages packages; /* has a lock of its own */
    enum count_mode mode;
    struct arena arena; /* of the configuration */
    struct record record;
    /* newest first. Pushed by load callbacks (release), read by JIT callbacks (acquire). */
    _Atomic(struct covered_module *) modules;
    /* one module is laid out at a time; never held across a call into the CLR */
    pthread_mutex_t layout_lock;
    struct windows windows;
    /* of System.Private.CoreLib. Written by the first load callback, before any other module
     * loads. */
    char framework_dir[1024];
    /* CACHE_SEARCHES was added. Set once, by a load callback; relaxed: a late reader only asks
     * the runtime again. */
    _Atomic bool searches_on;
    /* a composite image is in scope: its code is inlined across modules. Likewise. */
    _Atomic bool veto_everything;
};

extern struct profiler g_profiler;

struct covered_module *instance_find_module(struct profiler *p, ModuleID id);
void instance_add_module(struct profiler *p, struct covered_module *module);

#endif

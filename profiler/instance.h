/* instance.h - the one instance of the profiler, its table of instrumented modules, and where each
 * counts. g_profiler is written in Initialize and read-only afterwards, except where its members'
 * comments say otherwise.
 * Owner: rows and places live as long as the process. What a row holds of its module is freed when
 *        the module is unloaded, and another module may then take the row; the place outlives it,
 *        so that an equal module continues to count there. */
#pragma once

#include <stdatomic.h>

#include "base/list.h"
#include "contract/session_format.h"
#include "profiler/catch_up.h"
#include "profiler/contexts/execution_context.h"
#include "profiler/counter_block.h"
#include "profiler/session/record.h"
#include "profiler/shard_memory/shard_table.h"
#include "rewriter/test_hook.h"
#include "scope/scope.h"
#include "system/thread.h"

enum instrumented_state {
    INSTRUMENTED_UNTOUCHED,     /* no IL, or declined */
    INSTRUMENTED_HAS_OPEN_BODY, /* its first JITCompilationStarted gives it the enclosed one */
    INSTRUMENTED_HAS_LAST_BODY, /* ... only the IL map is missing */
    INSTRUMENTED_BY_REJIT,      /* gets its body when the runtime recompiles it (attached) */
    INSTRUMENTED_BUSY,          /* a thread is working on it */
    INSTRUMENTED_DONE,
    INSTRUMENTED_CHANGED, /* the program replaced it (hot_reload.h) */
};

/* A load of a module whose methods have probes: the data that method callbacks need. */
struct instrumented_module {
    /* 0: unused, or not ready yet. Written by load (release) and unload, read by JIT callbacks on
     * any thread (acquire). */
    _Atomic ModuleID id;
    /* Set between the two unload callbacks, else 0. Only these write and read it; relaxed: they run
     * in sequence. */
    _Atomic ModuleID unloading;
    /* Free for another load. Set when the module is gone (release), taken by exchange (acquire). */
    _Atomic bool is_free;
    struct instrumented_module *next; /* towards older; fixed before publication */
    /* points into the runtime's image, valid until the unload callback */
    struct module meta;
    struct counter_block *place; /* has counters, plan and new bodies; loads share it */
    /* enum instrumented_state of each method, by row: [rid - 1]. Written by ModuleLoadFinished
     * before the module is published, then by whoever moves it to BUSY (acquire) and on to DONE
     * (release). */
    _Atomic uint8_t *states;
    uint32_t method_count;
    bool may_change; /* hot_reload.h */
    /* The runtime gets each body when the method is first compiled, and until then may not inline
     * it: for each body that it was given it keeps some 46 bytes. */
    bool is_lazy;
    bool precompiled;
    uint32_t function_sig;      /* token of the signature of what probes call, or 0: none does */
    struct metadata_emit *emit; /* NULL: it gets no signature of ours */
    mdToken core_ref;           /* to the core library, which was added; 0: none was */
    struct test_hook_tokens enclosing;
    bool encloses, encloses_tests; /* static constructors; all else */
    struct mutex bodies_lock;      /* guards `bodies`; never held across a call into the CLR */
    struct arena bodies;           /* enclosed ones of this load: the runtime keeps pointers */
};

/* What GetMethodBody needs to show the original bodies (reflection.h). */
struct reflection {
    /* System.Private.CoreLib and its runtime. Written by the first load callback, before any other
     * module loads. */
    ModuleID core;
    uint16_t runtime_major;
    /* A module has loaded that may ask for bodies. Set once, by its load callback; relaxed: it
     * guards nothing. */
    _Atomic bool is_asked;
    /* Set when what follows is complete (release), and never cleared; read by JIT callbacks and by
     * what GetMethodBody calls (acquire). */
    _Atomic bool is_armed;
    struct module meta;       /* of the core library */
    mdToken methods[2];       /* its two GetMethodBody */
    struct view originals[2]; /* their own bodies, in its image */
};

/* A thread that lives, or a row for another one. */
struct shard_thread {
    struct shard_thread *next;
    ThreadID id;    /* 0: it was there before us; its name is not known */
    uintptr_t high; /* end of its stack; 0: the row is free */
    uint32_t shard;
    uintptr_t low;                 /* beginning of its stack */
    struct execution_context flow; /* contexts.h */
};

/* Whose hits are in the windows of a shard. */
enum shard_role {
    SHARD_OF_THREAD,
    SHARD_OF_CONTEXT, /* contexts.h */
    SHARD_OF_KEPT,    /* hits of contexts that have no shard any more */
};

/* shards.h. Guarded by the layout lock. */
struct shards {
    struct shard_table table;
    uint32_t count; /* that are taken, at least 1: modules are mapped in so many windows */
    uint32_t limit; /* 1: every method counts at absolute addresses */
    uint32_t users[SHARDS_MAX];
    uint8_t role[SHARDS_MAX]; /* enum shard_role */
    struct shard_thread *threads;
    struct thread_slot own_thread; /* the row of each thread; opened by contexts.h */
    uint64_t reserve;              /* room that is left for shard 0 of other modules */
    uint32_t living;               /* threads that have a shard */
    enum reason_code limit_reason; /* why there are no more than `limit` */
    bool has_shared; /* some place has, or had, a window that shows another one's shard */
    bool may_share;  /* some place has fewer shards than windows, and it is not told */
    uint64_t reported, unreported; /* bits: reasons for sharing that the record has, or will have */
};

/* control.h, walk.h */
struct control {
    struct kept listener;
    char name[32];        /* of the socket in the session */
    struct thread thread; /* when is_running */
    bool is_running;
    bool answers_once;     /* guest.h: then it leaves. Written before the thread starts */
    struct walk_run *walk; /* one that timed out, or NULL; only the control thread uses it */
    /* Threads are being inspected and must not go away; the same for frames and their modules. Set
     * and cleared by the walker (release), read by callbacks (acquire). */
    _Atomic bool holds_threads, holds_modules;
};

/* rejit.h */
struct rejit {
    struct mutex lock; /* guards all; never held across a call into the CLR */
    bool is_stopped;   /* nobody measures */
    struct list inliners;
    struct arena arena; /* of `inliners` */
};

struct profiler {
    struct profiler_info *info; /* ICorProfilerInfo5 or later */
    bool has_info10;            /* ... ICorProfilerInfo10 or later */
    bool attached;              /* InitializeForAttach, not Initialize */
    struct mutex events_lock;
    uint32_t events; /* what SetEventMask2 was given; none is taken away */
    /* Methods that were given new IL, or will be. Added to by load events, read by the control
     * thread; relaxed: it is only reported. */
    _Atomic uint32_t instrumented;
    struct catch_up catch_up;
    struct rejit rejit;
    struct control control;
    struct folder folder; /* of the session */
    struct scope scope;
    struct packages packages; /* has a lock of its own */
    enum count_mode mode;
    bool is_hot_reload_set; /* hot_reload.h */
    struct arena arena; /* of the configuration; then, under the layout lock, of rows and places */
    struct record record;
    /* newest first. Pushed by load callbacks (release), read by JIT callbacks (acquire). */
    _Atomic(struct instrumented_module *) modules;
    struct counter_block *places;       /* guarded by the layout lock */
    uint32_t place_count;               /* the same */
    struct counter_block *spare_places; /* the same */
    uint64_t kept_len;                  /* kept_image.h; the same */
    /* ... and whether it was reported that there is no room; relaxed: nothing depends on it */
    _Atomic bool lost_image;
    /* one module is laid out at a time; never held across a call into the CLR */
    struct mutex layout_lock;
    struct windows windows;
    struct shards shards;
    /* contexts.h; NULL: hits are not attributed. Set in Initialize */
    struct test_contexts *contexts;
    /* what "/" was in Initialize */
    struct file_identity root;
    /* of System.Private.CoreLib. Written by the first load callback, before any other module
     * loads. */
    char framework_dir[1024];
    /* a composite image is in scope: its code is inlined across modules. Written as above. */
    _Atomic bool veto_everything;
    /* Some module gets its bodies late. Set before its code can run; relaxed: never cleared. */
    _Atomic bool has_lazy_modules;
    struct reflection reflection;
    /* For one method that is compiled; taken by exchange (acquire), given back (release). Memory
     * that is got and freed for each method would be new to the system each time. */
    struct arena scratch;
    _Atomic bool is_scratch_taken;
};

extern struct profiler g_profiler;

/* Back to the initial state: the runtime may load the library again before it has unloaded it.
 * No other thread calls it or runs in it. */
void instance_reset(struct profiler *p);

/* Called before code of the target is given an address inside the library. */
void instance_pin_library(void);

/* Opens a module from what GetModuleInfo2 says of it. */
NODISCARD bool instance_open_image(struct module *out, const uint8_t *base, uint32_t flags,
                                   struct err *err);

/* The runtime's core library. Calls the CLR, without a lock. */
NODISCARD bool instance_open_core(struct module *out, struct profiler *p, struct err *err);

/* Adds bits of COR_PRF_MONITOR, permanently; on return they are set, whoever asked for them first.
 * Calls the CLR, without a lock but its own. */
HRESULT instance_add_events(struct profiler *p, uint32_t events);

/* What the runtime knows of a module's metadata now, with all that was added; NULL if it refuses.
 * To be released. Calls the CLR, without a lock. */
struct metadata_import *instance_import(const struct profiler *p, ModuleID id);

struct instrumented_module *instance_find_module(struct profiler *p, ModuleID id);

/* A row for a module that is loading: a free one, or a new one; NULL if there is no memory. It is
 * unused until its id is set. */
struct instrumented_module *instance_take_module(struct profiler *p);
/* Nothing compiles, runs or reads what it held. */
void instance_release_module(struct instrumented_module *module);

/* An empty place, for a module that may need one; NULL if there is no memory. */
struct counter_block *instance_take_place(struct profiler *p);
/* It was not needed; `place` may be NULL. */
void instance_give_back_place(struct profiler *p, struct counter_block *place);

/* ModuleUnloadFinished: the row of the module that began to unload as `id`, or NULL. */
struct instrumented_module *instance_find_unloading(struct profiler *p, ModuleID id);

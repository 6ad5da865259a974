/* contexts.h - `ilcov run --per-test`: who hits what, for the tests that run in this process, also
 * at the same time, and wherever their tasks, timers and continuations run.
 *
 * The bodies of tests, and of what is called around them, are enclosed (test_hooks.h): a managed
 * half (contexts/contexts.cs) puts the context's number into an AsyncLocal, and the runtime then
 * tells the library whenever a thread goes over to another flow. The library lets the table of
 * shards lead the whole stack of that thread to the context's window.
 *
 * A context has a window while its code runs, and as long as windows are not scarce. When it loses
 * it, its hits are written down (hit_log.h), added to the kept shard, and cleared, in this order:
 * whenever the process is killed, each hit is in its context's window or in the log.
 * Sums over all shards stay what they are without contexts.
 * Threads: functions lock by themselves, unless they say otherwise. */
#pragma once

#include "profiler/contexts/hit_log.h"
#include "profiler/instance.h"

/* A method that is enclosed. */
struct context_site {
    enum context_kind kind;
    bool leaves_early; /* runtime async: it may return long before its end, which comes elsewhere */
    const uint8_t *mvid;
    uint32_t rid;
};

/* What the two halves call of each other; contexts.cs has it, too. */
struct context_calls {
    /* `name`: UTF-16, of the type that the method runs in. 0: the flow stays what it is */
    int64_t (*entered)(int32_t site, const uint16_t *name, int32_t len);
    void (*ended)(int64_t number, int32_t how); /* HITS_THREW and so on */
    void (*switch_to)(int64_t number);
    /* The managed half fills in these, `enter` last. `self`: address of the object, or NULL. */
    void (*_Atomic enter)(const void *self, int32_t site);
    void (*leave)(int64_t number, int32_t how, const void *result, int64_t previous);
    void (*free)(const void *handle);
};

struct test_contexts {
    struct context_table table;
    struct hit_log log;
    struct kept log_file;
    char log_name[64];
    bool is_log_broken;  /* lines are lost, or written in part: nothing may follow them */
    uint32_t *of_window; /* mapped: numbers of contexts (session_format.h) */
    uint32_t kept;       /* the shard of kept hits */
    uint64_t tests_begun;
    struct context_site *sites;
    uint32_t site_count, site_room;
    struct context_calls calls;
    struct thread_slot result; /* handle to what an enclosed method is about to return */
    char program[48];          /* the file of the managed half in the session; empty: none yet */
    _Atomic bool is_refused;   /* the runtime does not run it; relaxed: it guards nothing */
    _Atomic uint32_t starter;  /* the number of the thread that starts it; 0: none does */
    _Atomic uint32_t rests;    /* how often others have waited for it */
    bool is_short_reported;
};

/* From Initialize. If it can't be, p->contexts stays NULL, and the record says why. */
void contexts_open(struct profiler *p);

/* A number for a method, under the layout lock. 0 without memory. */
uint32_t contexts_add_site(struct profiler *p, const struct context_site *site);

/* Under the layout lock. */
void contexts_meet_place(struct profiler *p, struct counter_block *place);

/* The thread ends. Under the layout lock. */
void contexts_lose_thread(struct profiler *p, struct execution_context *flow);

/* The process ends: says what could not be told apart. */
void contexts_finish(struct profiler *p);

/* What enclosed bodies call (rewriter/test_hook.h). A static constructor runs once, in the flow of
 * whoever needs it first, so what it hits belongs to none of the tests. */
void contexts_enter(const void *self, int32_t site);
void contexts_returned(const void *result); /* is called without a transition */
void contexts_leave(int32_t site, int32_t how);
const void *contexts_result(void);
void contexts_took_result(void);

/* ... to have the managed half. A test that finds it missing runs in the flow that there is. */
bool contexts_have_managed(const struct profiler *p);
bool contexts_are_started(void);       /* or the runtime has refused it */
const void *contexts_must_start(void); /* NULL: no. One thread must; others wait for it */
void contexts_refused(void);

/* Writes the file of the managed half; NULL, or why there is none. */
const char *contexts_make_program(struct profiler *p);
/* Is the module that file? */
bool contexts_are_program(const struct profiler *p, struct str path);

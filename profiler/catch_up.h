/* catch_up.h - which modules have been looked at since the library was attached. A module may
 * come twice: in the runtime's list and by its load event, in either order. The first to claim
 * it has it. One that unloads while the list is gone through is never touched again. */
#ifndef ILCOV_PROFILER_CATCH_UP_H
#define ILCOV_PROFILER_CATCH_UP_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "profiler/cor.h"

/* A module that was listed or has loaded since the library was attached. */
struct seen_module {
    struct seen_module *next;
    ModuleID id; /* 0: the row may be had */
    bool is_gone;
};

struct catch_up {
    pthread_mutex_t lock; /* guards `seen` and `is_done`; never held across a call into the CLR */
    struct seen_module *seen;
    struct arena arena; /* of `seen`, under the lock */
    bool is_done;
    /* the module that is looked at, or 0: it must not unload meanwhile. Written under the lock, and
     * cleared (release) without; read by unload callbacks (acquire). */
    _Atomic ModuleID at;
};

/* A load event: is the module still to be looked at? */
bool catch_up_claims(struct catch_up *c, ModuleID id);

/* From the list: the same; where it is, the module stays until catch_up_has_taken. */
bool catch_up_takes(struct catch_up *c, ModuleID id);
void catch_up_has_taken(struct catch_up *c);

/* The list is at its end: a row whose module went meanwhile serves again. */
void catch_up_finish(struct catch_up *c);

/* ModuleUnloadStarted: from now on nobody touches it. Waits while somebody does. */
void catch_up_let_go(struct catch_up *c, ModuleID id);

/* ModuleUnloadFinished: its id may come again. */
void catch_up_forget(struct catch_up *c, ModuleID id);

#endif

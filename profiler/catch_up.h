/* catch_up.h - which modules have been handled since the library was attached. A module may be
 * reported twice: in the runtime's list and by its load event, in either order. The first to claim
 * it handles it. One that unloads during the pass over the list is never touched again. */
#pragma once

#include <stdatomic.h>

#include "base/arena.h"
#include "profiler/cor.h"
#include "system/thread.h"

/* A module that was listed or has loaded since the library was attached. */
struct seen_module {
    struct seen_module *next;
    ModuleID id; /* 0: the row is free */
    bool is_gone;
    bool is_changeable; /* the runtime has said so */
};

struct catch_up {
    struct mutex lock; /* guards `seen` and `is_done`; never held across a call into the CLR */
    struct seen_module *seen;
    struct arena arena; /* of `seen`, under the lock */
    bool is_done;
    /* the module being handled, or 0: it must not unload meanwhile. Written under the lock, cleared
     * (release) without it; read by unload callbacks (acquire). */
    _Atomic ModuleID at;
};

/* A load event: is the module still to be handled? */
bool catch_up_claims(struct catch_up *c, ModuleID id);

/* From the list: the same; if it is, the module stays loaded until catch_up_has_taken. */
bool catch_up_takes(struct catch_up *c, ModuleID id);
void catch_up_has_taken(struct catch_up *c);

/* Later: the same for one that has not begun to unload. */
bool catch_up_holds(struct catch_up *c, ModuleID id);

/* The end of the list: rows of modules that unloaded meanwhile are free again. */
void catch_up_finish(struct catch_up *c);

/* ModuleUnloadStarted: the module is not touched from now on. Waits while it is being handled. */
void catch_up_let_go(struct catch_up *c, ModuleID id);

/* Waits while the module is being handled. */
void catch_up_await(struct catch_up *c, ModuleID id);

/* ReJITError: the runtime refuses to recompile code of the module because the program may change it
 * (hot_reload.h). */
void catch_up_note_changeable(struct catch_up *c, ModuleID id);
bool catch_up_is_changeable(struct catch_up *c, ModuleID id);

/* ModuleUnloadFinished: its id may be used again. */
void catch_up_forget(struct catch_up *c, ModuleID id);

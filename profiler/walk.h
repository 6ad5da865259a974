/* walk.h - the managed stacks of all threads at one moment.
 * A thread of its own asks the runtime to stop, for that call comes back only when it has: if it
 * does not within SUSPEND_SECONDS nothing is looked at, and when it comes back after all the
 * runtime goes on at once. While it is stopped nothing is done but to write down addresses; names
 * and offsets are looked up afterwards, with their modules held.
 * No lock is held while the runtime is called. A thread that ends waits in ThreadDestroyed until it
 * is not looked at any more, and a module in ModuleUnloadStarted until its frames have names. */
#ifndef ILCOV_PROFILER_WALK_H
#define ILCOV_PROFILER_WALK_H

#include "profiler/instance.h"

/* Appends the lines of an answer to `stacks` (contract/protocol.h) without its end, which is the
 * result. From the control thread. */
HRESULT walk_stacks(struct profiler *p, struct text *out);

/* Is no walk left that still waits for the runtime to stop? From the control thread. */
bool walk_is_over(struct profiler *p);

/* ThreadDestroyed, ModuleUnloadStarted: returns when the thread, the module may go. */
void walk_let_thread_go(const struct profiler *p);
void walk_let_module_go(const struct profiler *p);

#endif

/* walk.h - the managed stacks of all threads at one moment.
 * A separate thread asks the runtime to suspend, because that call returns only when the runtime
 * has stopped. If it does not return within SUSPEND_SECONDS, nothing is walked, and if it returns
 * later, the runtime is resumed at once. While it is stopped, only addresses are recorded; names
 * and offsets are looked up afterwards, with their modules held.
 * No lock is held while the runtime is called. A thread that ends waits in ThreadDestroyed until it
 * is no longer inspected, and a module in ModuleUnloadStarted until its frames have names. */
#pragma once

#include "profiler/instance.h"

/* Appends the lines of an answer to `stacks` (contract/protocol.h) without its end, which is the
 * result. From the control thread. */
HRESULT walk_stacks(struct profiler *p, struct text *out);

/* True if no earlier walk still waits for the runtime to stop. From the control thread. */
bool walk_is_over(struct profiler *p);

/* ThreadDestroyed, ModuleUnloadStarted: returns when the thread or module may go. */
void walk_let_thread_go(const struct profiler *p);
void walk_let_module_go(const struct profiler *p);

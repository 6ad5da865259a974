/* control.h - the thread that answers the program over a socket in the session (format:
 * contract/protocol.h) and, if the library was attached, first catches up. It exists only if
 * --control, --hang-timeout, attach or stacks requested it, and sleeps until a request arrives. */
#pragma once

#include "profiler/instance.h"

/* False if there is no thread; a missing socket is reported in the record. */
NODISCARD bool control_start(struct profiler *p);

/* ProfilerDetachSucceeded: returns when the thread has ended, which it does by itself once the
 * runtime releases the library. */
void control_join(struct profiler *p);

/* control.h - the thread that answers the program over a socket in the session (format:
 * contract/protocol.h), and, where the library was attached, first catches up. It is there only
 * when
 * --control, --hang-timeout, attach or stacks asked for it, and sleeps until somebody does. */
#ifndef ILCOV_PROFILER_CONTROL_H
#define ILCOV_PROFILER_CONTROL_H

#include "profiler/instance.h"

/* False when there is no thread; when there is no socket, it is told in the record. */
NODISCARD bool control_start(struct profiler *p);

/* ProfilerDetachSucceeded: returns when the thread has ended, which it does by itself once the
 *                          runtime
 * lets the library go. */
void control_join(struct profiler *p);

#endif

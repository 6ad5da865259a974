/* thread.h - a thread of the library's own, inside the target: there only when somebody asked for
 * what it does. All signals are the program's and never come to it; the runtime does not know
 * it. */
#ifndef ILCOV_PROFILER_THREAD_H
#define ILCOV_PROFILER_THREAD_H

#include <pthread.h>

#include "base/base.h"

/* `name` has at most 15 characters. To be joined. */
NODISCARD bool thread_start(pthread_t *out, const char *name, void *(*run)(void *), void *argument);

#endif

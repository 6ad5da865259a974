/* thread.h - a thread of the library's own, inside the target, which exists only if it is needed.
 * All signals belong to the target and never reach it; the runtime does not know it. */
#ifndef ILCOV_PROFILER_THREAD_H
#define ILCOV_PROFILER_THREAD_H

#include <pthread.h>

#include "base/base.h"

/* `name` has at most 15 characters. The caller joins it. */
NODISCARD bool thread_start(pthread_t *out, const char *name, void *(*run)(void *), void *argument);

#endif

/* callback.h - the object that the runtime calls: ICorProfilerCallback11.
 * One static object: the runtime creates one profiler per process, and the library's code lives as
 * long as the process. */
#ifndef ILCOV_PROFILER_CALLBACK_H
#define ILCOV_PROFILER_CALLBACK_H

#include "profiler/cor.h"

extern struct callback g_callback;

#endif

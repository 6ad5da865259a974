/* callback.h - the objects that the runtime calls: ICorProfilerCallback11.
 * Static objects: the runtime creates one profiler per process, beside which there may be a guest
 * (guest.h), and the library's code lives as long as it has either. */
#pragma once

#include "profiler/cor.h"

extern struct callback g_callback, g_guest;

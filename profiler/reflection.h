/* reflection.h - MethodBase.GetMethodBody shows bodies as the compiler wrote them.
 *
 * Nothing is done until a module loads that names GetMethodBody; most programs never do. Then the
 * core library's two methods of that name get code behind theirs (rewriter/restore.h), which asks
 * us for the original of each body that has probes. They are precompiled, and the runtime looks for
 * that code when a method is first called: it is told not to use it.
 * Where the runtime or its core library is not as known, nothing is changed, and the run is
 * told. */
#ifndef ILCOV_PROFILER_REFLECTION_H
#define ILCOV_PROFILER_REFLECTION_H

#include "profiler/instance.h"

/* Does the module refer to a method GetMethodBody, or hold that text? */
bool reflection_is_named(const struct metadata *md);

/* A module loads. From ModuleLoadFinished, before any of its code runs. */
void reflection_watch(struct profiler *p, ModuleID id, const struct module *module);

/* Is it one of the methods that were changed? */
bool reflection_has_changed(const struct profiler *p, ModuleID id, mdToken method);

#endif

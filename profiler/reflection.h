/* reflection.h - MethodBase.GetMethodBody shows bodies as the compiler wrote them.
 *
 * Nothing is done until a module loads that names GetMethodBody; most programs never do. Then the
 * core library's two methods of that name get additional code at their end (rewriter/restore.h),
 * which asks the library for the original of each body that has probes. These methods are
 * precompiled; when one is first called, the library tells the runtime not to use that code.
 * If the runtime or its core library is not one of the known ones, nothing is changed, and the
 * record says so. */
#pragma once

#include "profiler/instance.h"

/* Does the module refer to a method GetMethodBody, or contain that text? */
bool reflection_is_named(const struct metadata *md);

/* Called from ModuleLoadFinished, before any code of the module runs. */
void reflection_watch(struct profiler *p, ModuleID id, const struct module *module);

/* Is it one of the methods that were changed? */
bool reflection_has_changed(const struct profiler *p, ModuleID id, mdToken method);

/* instrument.h - what happens to a module when it loads and to a method when it is first compiled.
 * */
#ifndef ILCOV_PROFILER_INSTRUMENT_H
#define ILCOV_PROFILER_INSTRUMENT_H

#include "profiler/instance.h"

/* ModuleLoadFinished: decides whether the module is in scope; rewrites each of its methods. */
void instrument_module(struct profiler *p, ModuleID id);

/* JITCompilationStarted: the first time, the sharded body and the map of IL offsets. */
void instrument_method(struct profiler *p, FunctionID function);

/* JITCachedFunctionSearchStarted: may precompiled code of the function be used? */
bool instrument_allows_precompiled(struct profiler *p, FunctionID function);

/* ModuleUnloadStarted: none of its code runs or is compiled any more. */
void instrument_forget_module(struct profiler *p, ModuleID id);

/* ModuleUnloadFinished: nor are its bodies read. */
void instrument_free_module(struct profiler *p, ModuleID id);

#endif

/* instrument.h - what happens to a module when it loads, or is found loaded; to its methods:
 * method.h. */
#pragma once

#include "profiler/instance.h"

/* ModuleLoadFinished: decides whether the module is in scope; rewrites each of its methods. */
void instrument_module(struct profiler *p, ModuleID id);

/* ModuleInMemorySymbolsUpdated, after it loaded and before its code runs: decides again. */
void instrument_with_symbols(struct profiler *p, ModuleID id);

/* JITCachedFunctionSearchStarted: may precompiled code of the function be used? */
bool instrument_allows_precompiled(struct profiler *p, FunctionID function);

/* ReJITError: the method continues to run unchanged. */
void instrument_decline_method(struct profiler *p, ModuleID id, mdMethodDef token);

/* ModuleUnloadStarted: its code no longer runs or gets compiled. */
void instrument_forget_module(struct profiler *p, ModuleID id);

/* ModuleUnloadFinished: its bodies are no longer read. */
void instrument_free_module(struct profiler *p, ModuleID id);

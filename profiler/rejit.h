/* rejit.h - after an attach, the runtime recompiles methods with counters, and runs their own code
 * again when nobody measures any more. A method that is on a stack keeps the code that it has until
 * it returns. */
#pragma once

#include "profiler/instance.h"

/* A module that is in the table: its methods that are INSTRUMENTED_BY_REJIT are recompiled, and
 * those that had inlined them, unless nobody measures. */
HRESULT rejit_module(struct profiler *p, const struct instrumented_module *module, ModuleID id);

/* GetReJITParameters: a method that gets no counters, recompiled because it had inlined one that
 * does. */
void rejit_note_inliner(struct profiler *p, ModuleID id, mdMethodDef token);

/* From the control thread. All methods run as they were; `methods` is how many had counters. May be
 * repeated. */
HRESULT rejit_stop(struct profiler *p, uint32_t *methods);
/* The methods of all modules get counters again, also of those that have loaded meanwhile; if that
 * fails, none does. */
HRESULT rejit_continue(struct profiler *p);

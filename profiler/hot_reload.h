/* hot_reload.h - modules that the running program may change (hot reload, edit and continue).
 *
 * A change is a delta against the metadata that the compiler wrote: its rows get the numbers after
 * the compiler's last ones. A row that we had added would have the same number, and the new code
 * would use the wrong one. So such a module gets no row, and its bodies no other local signature
 * than their own.
 * A method that is changed gets the compiler's new body in place of ours, and counts no longer.
 *
 * Source: dotnet/runtime, src/coreclr/vm: eeconfig.cpp (the settings), ceeload.cpp
 *         (IsEditAndContinueCapable, Module::SetDebuggerInfoBits), encee.cpp
 *         (ApplyEditAndContinue). */
#pragma once

#include "profiler/instance.h"

/* Does this environment variable, "NAME=value", make the runtime let programs change themselves? */
bool hot_reload_is_set_by(struct str variable);

/* Initialize: what the process's environment says. */
void hot_reload_learn(struct profiler *p);

/* May the program change this module? Calls the CLR if the library was attached. */
bool hot_reload_may_change(struct profiler *p, ModuleID id, const struct module *meta);

/* JITCompilationStarted, for a module that may change: was the method changed, or added?
 * Reports it in the record. */
bool hot_reload_has_changed(struct profiler *p, struct instrumented_module *module,
                            mdMethodDef token, FunctionID function);

/* Shutdown: reports what was changed or added, where the runtime did not say so before: from
 * .NET 11 on. */
void hot_reload_finish(struct profiler *p);

/* For GetMethodBody, which may show a changed method before it is compiled. `code_size`: of the
 * body that the runtime has, or 0 if that is not known. */
bool hot_reload_has_other_code(const struct instrumented_module *module, uint32_t method_rid,
                               uint32_t code_size);

/* method.h - the new body of a method: its form, and what the method gets when it is first
 * compiled, or recompiled after an attach. */
#pragma once

#include "profiler/instance.h"
#include "rewriter/rewrite.h"

/* Chooses how the method's probes find their counters, for all loads: at load, under the layout
 * lock. */
void method_choose_form(struct counter_block *place, uint32_t rid, const struct flow *flow,
                        const struct plan *plan, struct arena *scratch);

struct probe_form method_form(const struct instrumented_module *module, uint32_t rid);

/* Gives the runtime the body that the method has from its place. False if the runtime refuses
 * it. */
NODISCARD bool method_give_body(struct profiler *p, const struct instrumented_module *module,
                                ModuleID id, uint32_t rid);

/* JITCompilationStarted: the first time, the enclosed body and the map of IL offsets. */
void method_compile(struct profiler *p, FunctionID function);

/* JITInlining: has the method had its probes since its module loaded, or has it been compiled? And
 * does the caller stay on its thread, or the method have no probes? */
bool method_may_be_inlined(struct profiler *p, FunctionID caller, FunctionID function);

/* GetReJITParameters: body and map at once; they are copied. */
void method_recompile(struct profiler *p, ModuleID id, mdMethodDef token,
                      struct function_control *control);

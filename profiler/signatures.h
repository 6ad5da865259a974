/* signatures.h - the few signature tokens that new bodies need, emitted into the module's metadata
 * in memory.
 * The first one makes the runtime keep a writable copy of the module's metadata, some three times
 * as large, for each load. None is one of locals that a debugger would ask for (rewriter/anchor.h).
 * Source: ECMA-335 II.23.2.3, II.23.2.6. */
#pragma once

#include "profiler/instance.h"

/* The module's metadata, open for additions; NULL if the runtime refuses. Calls the CLR, without a
 * lock. */
struct metadata_emit *signatures_emit(struct profiler_info *info, ModuleID id);

/* The token of a signature; 0 if the runtime gives none. */
uint32_t signatures_token(struct metadata_emit *emit, const uint8_t *signature, size_t len);

/* Writes a type's token, as in a signature (II.23.2.8). */
void signatures_write_type(struct writer *w, mdToken token);
/* A reference to the core library, or to what forwards to it in that runtime; 0: there is none. */
mdToken signatures_core_library(struct instrumented_module *module, unsigned runtime_major);

/* Sets module->emit and function_sig, for probes that call; each stays 0 when the runtime refuses
 * it. Calls the CLR: from ModuleLoadFinished only, without a lock. */
void signatures_open(const struct profiler *p, struct instrumented_module *module, ModuleID id);

void signatures_close(struct instrumented_module *module);

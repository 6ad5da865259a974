/* test_hooks.h - which methods of a module are enclosed, so that what they run is told apart
 * (contexts.h), and what their bodies name. */
#pragma once

#include "profiler/contexts.h"

/* Fills in place->enclosed. Takes the layout lock. False without memory. */
NODISCARD bool test_hooks_find(struct profiler *p, struct counter_block *place,
                               const struct metadata *md, bool has_tests);

/* Adds what test hooks name, none of which reflection shows: signatures of calls and, to a module
 * that has tests, references to the core library. Sets module->encloses and encloses_tests; the
 * record says why tests are not enclosed. After signatures_open. */
void test_hooks_define(struct profiler *p, struct instrumented_module *module, bool has_tests);

/* ASP.NET's server for tests (TestServer, WebApplicationFactory) runs requests in a flow of their
 * own unless it is asked to keep that of the client. If the module is it, it always keeps it. Calls
 * the CLR, without a lock. */
void test_hooks_keep_flow(struct profiler *p, ModuleID id, const struct module *module);

/* NULL if the method is not enclosed. */
const struct enclosed_method *test_hooks_of(const struct counter_block *place, uint32_t rid);

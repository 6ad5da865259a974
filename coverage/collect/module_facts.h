/* module_facts.h - makes a module's facts: reads it with its PDB, makes its plan again, and assigns
 * the counters.
 * Errors: ERR_MISMATCH the plan is not the one that the target made: the DLL on disk is not the one
 *         that ran. */
#pragma once

#include "coverage/collect/module_request.h"

/* Fills all of `out` except state and reason. *counts is its vector (NULL if it never loaded).
 * request->hits->found gets what tests hit. */
NODISCARD bool module_facts(struct fact_module *out, uint64_t **counts,
                            const struct module_facts_request *request, struct arena *arena,
                            struct err *err);

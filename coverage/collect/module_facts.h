/* module_facts.h - one module read with its PDB, its plan made again, its counters laid over: the
 * module's facts.
 * Errors: ERR_MISMATCH the plan is not the one that the target made: the DLL on disk is not what
 *         ran. */
#ifndef ILCOV_COVERAGE_COLLECT_MODULE_FACTS_H
#define ILCOV_COVERAGE_COLLECT_MODULE_FACTS_H

#include "contract/mode.h"
#include "coverage/collect/documents.h"
#include "coverage/collect/excluded_by_attribute.h"
#include "coverage/facts/facts.h"
#include "scope/scope.h"

struct module_facts_request {
    const struct module *module;
    struct str path;
    enum count_mode mode;
    const uint64_t *counters; /* NULL: it never loaded */
    uint32_t counter_count;
    uint64_t plan_hash;
    const uint8_t
        *verdicts; /* of each MethodDef row, as the target wrote them; NULL like counters */
    uint32_t verdict_count;
    const struct scope *scope; /* its patterns say which types are excluded */
    struct exclusion_options exclusions;
    struct documents_options documents;
};

/* Fills all of `out` but state and reason. *counts is its vector (NULL when it never loaded). */
NODISCARD bool module_facts(struct fact_module *out, uint64_t **counts,
                            const struct module_facts_request *request, struct arena *arena,
                            struct err *err);

#endif

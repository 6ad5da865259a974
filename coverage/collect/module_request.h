/* module_request.h - what a module's facts are made of, and which of them are wanted.
 * Owner:  all of it is the caller's, and outlives the facts. */
#pragma once

#include "base/progress.h"
#include "contract/mode.h"
#include "coverage/collect/documents.h"
#include "coverage/collect/excluded_by_attribute.h"
#include "coverage/session/test_hits.h"
#include "scope/scope.h"

struct inlined_functions;

struct module_facts_request {
    const struct module *module;
    struct str path;
    enum count_mode mode;
    bool may_change;          /* as in struct session_counters */
    const uint64_t *counters; /* NULL: it never loaded */
    uint32_t counter_count;
    uint64_t plan_hash;
    const uint8_t
        *verdicts; /* per MethodDef row, as the target wrote them; NULL if it never loaded */
    uint32_t verdict_count;
    const struct scope *scope; /* its patterns say which types are excluded */
    struct exclusion_options exclusions;
    bool (*stop)(void *context); /* asked at each method: end early, without facts? May be NULL */
    void *stop_context;
    const struct progress_hook *progress; /* or NULL */
    struct test_hits *hits;               /* which tests hit what; NULL: not known */
    bool declares;   /* also what types and methods declare besides code (declaration.h) */
    bool is_outline; /* of statements and decisions only where each method stands: no report has
                        it, and its tests are told apart */
    struct inlined_functions
        *inlined; /* notes what F# may have inlined (inlined.h); NULL: nobody asks */
    struct documents_options documents;
};

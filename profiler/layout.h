/* layout.h - where a module counts, and the bodies that count there. Bodies hold the addresses
 * of their counters, so both are made together, once for all loads of the module. */
#pragma once

#include "profiler/instance.h"

/* What is needed only while a module is laid out. */
struct layout_job {
    struct instrumented_module *module;
    struct code_identity identity;
    /* Filled in with its code if the module had no place; NULL again when it is in the list. */
    struct counter_block *spare;
    uint8_t *verdicts; /* by row: of this load */
    bool planned;      /* each method that can be: number and hash are the collector's */
    bool is_loss_reported;
    bool has_tests;       /* its tests are told apart (contexts.h) */
    bool calls_tail;      /* MODE_COUNT: methods may have frames that must stay (rewriter/flow.h) */
    struct arena arena;   /* of this job */
    struct arena scratch; /* of one method */
};

/* Under the layout lock: the place of an equal module, which this process has loaded before; or
 * NULL. */
struct counter_block *layout_find_place(const struct profiler *p, const struct layout_job *job);

/* Gives the module its place: that of an equal module (*shared) or the spare one. Reports in the
 * record if its counts are lost. False without memory. Under the layout lock. */
NODISCARD bool layout_make(struct profiler *p, struct layout_job *job, bool *shared);

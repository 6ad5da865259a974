/* layout.h - where a module counts, and the bodies that count there. Bodies hold the addresses
 * of their counters, so both are made together. */
#ifndef ILCOV_PROFILER_LAYOUT_H
#define ILCOV_PROFILER_LAYOUT_H

#include "profiler/instance.h"

/* What is needed only while a module is laid out. */
struct layout_job {
    struct covered_module *module;
    struct view *new_bodies; /* by row */
    uint8_t *verdicts;       /* by row */
    bool *last_body;         /* by row: the new body needs no successor */
    uint32_t counter_count;
    uint64_t plan_hash;
    bool planned; /* each method that can be: number and hash are the collector's */
    bool is_loss_reported;
    struct arena arena;   /* of this job */
    struct arena scratch; /* of one method */
};

/* Finds a place for the module, that of an equal module (*shared) or a new one, and fills in the
 * job's bodies and verdicts; reports in the record if its counts are lost. False without memory.
 * Under the layout lock. */
NODISCARD bool layout_make(struct profiler *p, struct layout_job *job, struct str path,
                           bool *shared);

#endif

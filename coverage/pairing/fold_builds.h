/* fold_builds.h - several builds of one assembly (target frameworks, machines): a method that has
 * the same code in an older one is the newest one's, whatever lines it stands on there. What is
 * left of the older ones is for lines.h to add up line by line.
 * Newest:  the build that was seen last (fact_module.seen); of two that were seen together the
 *          first in the order of facts.
 * Carried: where the method ran in one build, what was carried to it in another does not count
 *          (sums.h).
 * Not folded: what one of the two builds does not show, since then the other alone tells of it. */
#ifndef ILCOV_COVERAGE_PAIRING_FOLD_BUILDS_H
#define ILCOV_COVERAGE_PAIRING_FOLD_BUILDS_H

#include "coverage/facts/sums.h"

struct build_part {
    const struct fact_module *module;
    struct sums *sums; /* changed in their place */
    /* of each method, NO_INDEX: not shown; what is folded into another build is not any more */
    uint32_t *owner_of;
    const uint32_t *file_of; /* of each document, likewise */
};

/* Nothing outlives `scratch`. */
NODISCARD bool fold_builds(const struct build_part *parts, uint32_t part_count,
                           struct arena *scratch, struct err *err);

#endif

/* fold_builds.h - several builds of one assembly (target frameworks, machines): a method with the
 * same code in an older build is counted in the newest one, whatever its lines in the older one.
 * lines.h adds up the rest line by line.
 * Newest:  the build that was seen last (fact_module.seen); if several were, the first in the order
 *          of facts.
 * Carried: if the method ran in one build, counts carried to it in another do not count (sums.h).
 * Not folded: methods that one of the two builds does not show: only the other one reports them. */
#pragma once

#include "coverage/facts/sums.h"

struct build_part {
    const struct fact_module *module;
    struct sums *sums;       /* changed in place */
    uint32_t *owner_of;      /* per method; NO_INDEX: not shown, or folded into another build */
    const uint32_t *file_of; /* per document; NO_INDEX: not shown */
};

/* Nothing is kept beyond `scratch`. */
NODISCARD bool fold_builds(const struct build_part *parts, uint32_t part_count,
                           struct arena *scratch, struct err *err);

/* missing_assemblies.h - assemblies that BASE measured, that HEAD knows nothing of, and whose
 * sources are still there: what they covered can't be compared. One that was deleted, renamed or
 * left out on purpose is not missing.
 * Owner:  the arena. */
#ifndef ILCOV_CLI_OUTCOME_MISSING_ASSEMBLIES_H
#define ILCOV_CLI_OUTCOME_MISSING_ASSEMBLIES_H

#include "cli/base/outcome_options.h"
#include "coverage/facts/facts.h"
#include "scope/pattern.h"

struct missing_assemblies {
    struct str *names;
    uint32_t count;
    struct str first; /* a source of the first */
};

/* `root`: where HEAD's sources are; `exclude`: what the comparison leaves out. */
NODISCARD bool missing_assemblies_find(struct missing_assemblies *out, const struct facts *base,
                                       const struct facts *head, struct str root,
                                       const struct pattern *exclude,
                                       const struct filter_options *filter, struct arena *arena,
                                       struct err *err);

#endif

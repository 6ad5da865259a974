/* input_changes.h - files that tests may depend on (coverage/session/test_inputs.h), or that a
 * patch changes, and that are not what they were: each is a reason for all tests.
 * Errors: ERR_MEMORY, ERR_LIMIT. */
#ifndef ILCOV_IMPACT_INPUT_CHANGES_H
#define ILCOV_IMPACT_INPUT_CHANGES_H

#include "coverage/diff/patch.h"
#include "impact/build_changes.h"

struct input_rules {
    struct str root;          /* of the sources now; absolute */
    const struct str *ignore; /* globs of paths (paths_match) that do not count */
    uint32_t ignore_count;
};

/* Output folders correspond if the same assembly is in both. */
NODISCARD bool input_changes_find(struct build_changes *changes, const struct input_rules *rules);

/* The files of a patch that are no sources, such as data that tests read from the source tree. The
 * build says what became of code. What only people read (documentation, settings of git and
 * editors) does not count, unless the build copies it. */
NODISCARD bool input_changes_of_patch(struct build_changes *changes, const struct patch *patch,
                                      const struct input_rules *rules);

#endif

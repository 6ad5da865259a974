/* patch_changes.h - the files of a patch that are no sources, such as data that tests read from the
 * source tree: each is a reason for all tests. The build says what became of code. What only people
 * read (documentation, settings of git and editors) is none, unless the build copies it.
 * Errors: ERR_MEMORY. */
#ifndef ILCOV_COVERAGE_AFFECTED_PATCH_CHANGES_H
#define ILCOV_COVERAGE_AFFECTED_PATCH_CHANGES_H

#include "coverage/affected/input_changes.h"
#include "coverage/diff/patch.h"

NODISCARD bool patch_changes_find(struct build_changes *changes, const struct patch *patch,
                                  const struct input_rules *rules);

#endif

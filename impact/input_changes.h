/* input_changes.h - files that tests may depend on (coverage/session/test_inputs.h), or that a
 * patch changes, and that are not what they were: for who runs code that reads files, or for all
 * tests if the build, the runtime or the test framework reads it, or nobody has seen it.
 * Errors: ERR_MEMORY, ERR_LIMIT. */
#pragma once

#include "impact/build_changes.h"
#include "impact/impact.h"

/* Output folders correspond if the same assembly is in both. */
NODISCARD bool input_changes_find(struct build_changes *changes,
                                  const struct impact_request *request);

/* The files of request->patch that are no sources, such as data that tests read from the source
 * tree. The build says what became of code. What only people read (documentation, settings of git
 * and editors) does not count, unless the build copies it. */
NODISCARD bool input_changes_of_patch(struct build_changes *changes,
                                      const struct impact_request *request);

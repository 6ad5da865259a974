/* test_inputs.h - files that tests may depend on although no code that is measured is in them: what
 * a build put beside its assemblies (settings, content, packages), and what the source tree has for
 * the build and the test runner (projects, run settings, lock files).
 * Left out are assemblies whose methods are known one by one, symbols, and what coverage tools
 * write.
 * A link to a file is that file. Links to folders are not followed: one that stays in the output is
 * an input that says where it leads. Unseen (fact_input_is_unseen) is one that leads elsewhere, and
 * what can't be read, is too large or too deep; a folder with too many files is one unseen input.
 * Owner:  everything lives in the arena.
 * Errors: ERR_MEMORY. */
#pragma once

#include "base/list.h"
#include "coverage/facts/facts.h"

/* Adds the files in and below a build's output folder. Those that were last written at `before` or
 * later, in ns since 1970, are noted as what tests left (fact_input_is_left). */
NODISCARD bool test_inputs_add_output(struct list *inputs, struct str folder, int64_t before,
                                      const struct facts *facts, struct arena *arena,
                                      struct err *err);

/* Is it for the build, the runtime or the test framework, so that all tests may depend on it?
 * Others are for code that reads files. */
bool test_inputs_are_for_all(struct str path);

/* Adds those in the folders of the sources of `facts`, and in the folders around these up to the
 * root. */
NODISCARD bool test_inputs_add_sources(struct list *inputs, struct str root,
                                       const struct facts *facts, struct arena *arena,
                                       struct err *err);

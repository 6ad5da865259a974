/* selection.h - the tests that changes need.
 *
 *   a test             that hit what changed
 *   the tests of a class, and of what derives from it, if what runs around them did
 *   all tests          if it ran outside of tests, in a static constructor, in a fixture of no
 *                      class that is known; or for what method_changes.h finds
 *   new tests          and those that failed in the older run, or did not run in it although what
 *                      they had run before was changed
 * Owner:  everything lives in the arena. Errors: ERR_MEMORY. */
#ifndef ILCOV_IMPACT_SELECTION_H
#define ILCOV_IMPACT_SELECTION_H

#include "impact/build_changes.h"
#include "impact/new_tests.h"

struct selected_test {
    struct str name;
    struct str why; /* one of the changes, or that it is new or failed */
};

struct selection {
    struct selected_test *tests; /* ascending name, each once */
    uint32_t count;
    uint32_t of;      /* how many tests there are */
    uint32_t resting; /* tests of the build that the older run did not run: left out */
};

/* Adds to changes->all what is known only once it is known who hit what. With any such cause, all
 * tests are selected. */
NODISCARD bool selection_make(struct selection *out, struct build_changes *changes,
                              const struct new_tests *tests);

#endif

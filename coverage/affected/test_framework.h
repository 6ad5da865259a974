/* test_framework.h - by which filter the tests of a run are selected. */
#ifndef ILCOV_COVERAGE_AFFECTED_TEST_FRAMEWORK_H
#define ILCOV_COVERAGE_AFFECTED_TEST_FRAMEWORK_H

#include "coverage/affected/test_filter.h"
#include "coverage/facts/facts.h"

/* By the test frameworks that were loaded in the run. FILTER_NONE: they have no filter in common.
 * `is_platform`: the tests run under Microsoft.Testing.Platform, or as programs of their own. */
enum filter_kind test_framework_filter(const struct facts *run, bool is_platform);

#endif

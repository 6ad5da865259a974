/* test_framework.h - by which filter the tests of a build are selected. */
#ifndef ILCOV_COVERAGE_AFFECTED_TEST_FRAMEWORK_H
#define ILCOV_COVERAGE_AFFECTED_TEST_FRAMEWORK_H

#include "coverage/affected/new_build.h"
#include "coverage/affected/test_filter.h"

/* FILTER_NONE: its test assemblies use frameworks of which no filter serves all. `is_platform`:
 * they run under Microsoft.Testing.Platform. */
enum filter_kind test_framework_filter(const struct new_build *build, bool is_platform);

#endif

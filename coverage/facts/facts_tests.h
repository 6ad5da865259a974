/* facts_tests.h - the part of facts.h that is about tests and hits; shared by facts_sort.c,
 * facts_check.c and facts_tests.c only. */
#ifndef ILCOV_COVERAGE_FACTS_FACTS_TESTS_H
#define ILCOV_COVERAGE_FACTS_FACTS_TESTS_H

#include "coverage/facts/facts.h"

/* Runs and modules are sorted, and references to them renumbered. */
NODISCARD bool facts_sort_tests(struct facts *facts, struct arena *arena, struct err *err);

/* Modules and runs are sound. */
NODISCARD bool facts_check_tests(const struct facts *facts, struct err *err);

#endif

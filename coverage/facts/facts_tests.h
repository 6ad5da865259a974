/* facts_tests.h - what facts_sort.c, facts_check.c and facts_tests.c share: the order of lists, and
 * the part that is about tests and hits. */
#pragma once

#include "coverage/facts/facts.h"

/* Runs and modules are sorted, and references to them renumbered. */
NODISCARD bool facts_sort_tests(struct facts *facts, struct arena *arena, struct err *err);

/* The lists of a module are in the order of their methods: code that walks them method by method
 * relies on it. */
bool facts_lists_are_sorted(const struct fact_module *module);

/* Modules and runs are sound. */
NODISCARD bool facts_check_tests(const struct facts *facts, struct err *err);

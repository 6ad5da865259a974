/* facts_sort.h - the order of the lists of a module (facts_sort in facts.h); shared by facts_sort.c
 * and facts_check.c only. */
#ifndef ILCOV_COVERAGE_FACTS_FACTS_SORT_H
#define ILCOV_COVERAGE_FACTS_FACTS_SORT_H

#include "coverage/facts/facts.h"

/* The lists are in the order of their methods: code that walks them method by method relies on
 * it. */
bool facts_lists_are_sorted(const struct fact_module *module);

#endif

/* lines_module.h - one build of a package, as its lines are made: what ran, and who owns what. */
#ifndef ILCOV_COVERAGE_REPORT_LINES_MODULE_H
#define ILCOV_COVERAGE_REPORT_LINES_MODULE_H

#include "coverage/report/copies.h"
#include "coverage/tests/test_sets.h"

struct lines_module {
    const struct fact_module *module;
    const struct copies *copies; /* of the module */
    const uint64_t *counts;      /* over all runs */
    const uint32_t *owner_of;    /* per method; NO_INDEX: left out */
    const uint32_t *file_of;     /* per document; NO_INDEX: left out */
    /* Which tests hit what: NULL, or the index of the module in them, and owners as they were
     * before builds were folded, since tests are those of each build. */
    const struct test_sets *tests;
    uint32_t index;
    const uint32_t *own_owner_of;
};

#endif

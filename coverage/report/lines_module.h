/* lines_module.h - one build of a package, as its lines are made: what ran, and who owns what. */
#ifndef ILCOV_COVERAGE_REPORT_LINES_MODULE_H
#define ILCOV_COVERAGE_REPORT_LINES_MODULE_H

#include "coverage/report/copies.h"

struct lines_module {
    const struct fact_module *module;
    const struct copies *copies; /* of the module */
    const uint64_t *counts;      /* over all runs */
    const uint32_t *owner_of;    /* per method; NO_INDEX: left out */
    const uint32_t *file_of;     /* per document; NO_INDEX: left out */
};

#endif

/* building.h - what the files share that build a report: what it is built from, what it leaves out,
 * and the memory for both.
 * Owner:  what the report holds lives in `arena`; `scratch` is emptied for each package. */
#ifndef ILCOV_COVERAGE_REPORT_BUILDING_H
#define ILCOV_COVERAGE_REPORT_BUILDING_H

#include "base/progress.h"
#include "coverage/report/excluded_lines.h"

struct building {
    const struct facts *facts;
    const struct report_options *options;
    struct list omissions; /* struct report_omission */
    struct report_omission first_empty;
    struct excluded_lines excluded;
    bool forgets_omissions; /* nobody asks for them */
    const char *doing;      /* "reporting statements" */
    uint64_t done, total;   /* statements, of all packages */
    struct arena *arena;
    struct arena scratch; /* of one package */
    struct err *err;
};

#endif

/* package_visit.h - goes through the files of a package, some at a time, so that their lines need
 * not all be in memory at once.
 * Owner:  what is passed to `take` lives until the next files are built; package_visit_close frees
 *         it. */
#ifndef ILCOV_COVERAGE_REPORT_PACKAGE_VISIT_H
#define ILCOV_COVERAGE_REPORT_PACKAGE_VISIT_H

#include "coverage/report/lines_module.h"
#include "coverage/report/package_parts.h"

struct package_visit {
    const struct report_view *views;
    uint32_t view_count;
    bool (*take)(void *context, const struct report_package *packages);
    void *context;
    struct report_package *packages; /* one for each view */
    struct lines_module **modules;   /* likewise */
    uint32_t **file_of;              /* per part: only the files of the slice */
    struct arena slice, scratch;
};

/* The first four are set by the caller. package_visit_close must follow, also if this fails. */
NODISCARD bool package_visit_open(struct package_visit *v, struct building *b);
void package_visit_close(struct package_visit *v);

/* After package_parts_name. */
NODISCARD bool package_visit_files(struct package_visit *v, const struct package_parts *package,
                                   struct building *b);

#endif

/* report_package.h - a package of the report is made of its parts: their counts are summed, their
 * builds folded, and their lines become classes.
 * Owner:  classes live in the slice of the building, sums in its scratch. */
#ifndef ILCOV_COVERAGE_REPORT_REPORT_PACKAGE_H
#define ILCOV_COVERAGE_REPORT_REPORT_PACKAGE_H

#include "coverage/report/lines.h"
#include "coverage/report/package_parts.h"

/* The package without its lines and totals. */
struct report_package report_package_describe(const struct package_parts *package);
NODISCARD bool report_package_list_modules(struct report_package *out,
                                           const struct package_part *parts, uint32_t part_count,
                                           struct building *b);

/* What each part has in a view. Builds of one assembly: a method with the same code in several of
 * them goes to the newest. Conditions point into the sums. */
NODISCARD bool report_package_sum(struct lines_module **out, const struct package_parts *package,
                                  const struct report_view *view, struct building *b);

/* Adds the classes and totals of those of its files that `modules` show. */
NODISCARD bool report_package_fill(struct report_package *out, const struct package_parts *package,
                                   const struct lines_module *modules, struct building *b);

/* Counts the methods of an assembly without symbols: only those that ran are known. */
NODISCARD bool report_package_count_bare(struct report_package *package,
                                         const struct lines_module *modules, uint32_t module_count,
                                         uint32_t owner_count, struct building *b);

#endif

/* classes.h - the lines of a package become its classes and methods, with their totals.
 * Owner:  the slice of the building. */
#pragma once

#include "coverage/report/lines.h"

/* Of struct report_class, for qsort: by name, then file. */
int class_order(const void *left, const void *right);

/* Adds the classes of the lines, and their totals to those of the package. */
NODISCARD bool classes_build(struct report_package *package, struct package_lines *lines,
                             const struct package_parts *parts, struct building *b);

/* package_visit.h - a package of the report is made of its parts: their counts are summed, their
 * builds folded, and their lines become classes. Lines are built for some of its files at a time,
 * because those of all need more memory than anything else.
 * Owner:  what all slices share lives in the scratch of the building, classes and lines in its
 *         slice, which whoever builds them empties first. */
#pragma once

#include "coverage/report/lines.h"

enum {
    SLICE_LINES = 1 << 15, /* at least, unless there are no more */
    SLICES_MAX = 16        /* about: each goes through all statements of its package */
};

struct package_visit {
    struct package_parts package;
    uint32_t view_count;
    struct lines_module **modules; /* one list for each view */
    bool *wanted;                  /* per file: it is in the slice; the caller's choice */
    struct report_package *built;  /* one for each view: with the lines of the slice */
};

/* Names the parts of the package (package_parts_name). */
NODISCARD bool package_visit_open(struct package_visit *out, const struct package_parts *package,
                                  const struct report_view *views, uint32_t view_count,
                                  struct building *b);

/* Builds what is wanted. */
NODISCARD bool package_visit_build(struct package_visit *v, struct building *b);

/* All files in order, a slice at a time: `take` gets what was built. A package without lines has
 * one slice, with the methods that are known. */
NODISCARD bool package_visit_files(struct package_visit *v,
                                   bool (*take)(void *context,
                                                const struct report_package *packages),
                                   void *context, struct building *b);

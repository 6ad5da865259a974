/* report_visit.h - a report a few files at a time: what all its lines would need is never in memory
 * at once. report_build.h says by which rules they are made. */
#ifndef ILCOV_COVERAGE_REPORT_REPORT_VISIT_H
#define ILCOV_COVERAGE_REPORT_REPORT_VISIT_H

#include "coverage/report/report_files.h"

/* Calls `take` for some files at a time, by package and path, with one package for each view: its
 * classes and totals are those of these files, and the same class, method, line and condition has
 * the same index in all of them. A package without lines is taken once. It does not name its
 * modules. What is passed is gone when `take` returns, but for names, which are views into the
 * facts. False, with `err` set, also if `take` fails. */
NODISCARD bool report_visit(const struct report_view *views, uint32_t view_count,
                            const struct report_options *options,
                            bool (*take)(void *context, const struct report_package *packages),
                            void *context, struct arena *arena, struct err *err);

/* Calls `take` for all packages of a report with their lines: if it is an outline, for some files
 * of a package at a time, as report_visit does. */
NODISCARD bool report_each_package(const struct report *report,
                                   bool (*take)(void *context,
                                                const struct report_package *package),
                                   void *context, struct err *err);

/* The same file by file. */
struct report_walk {
    /* Each package of the report, before its files; it may have none. NULL: they are not asked for.
     * False ends the walk. */
    bool (*package)(void *context, const struct report_package *package);
    /* Each file of the package by path; gone when this returns. */
    bool (*file)(void *context, const struct report_file *file);
    void *context;
};

NODISCARD bool report_each_file(const struct report *report, const struct report_walk *walk,
                                struct err *err);

#endif

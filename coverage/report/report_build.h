/* report_build.h - builds a report from facts, by the definitions in docs/definitions.md: the only
 * place that computes a line's hits and a method's complexity; lines.h has the rules.
 * Owner:  everything lives in the arena; names are views into the facts.
 * Errors: ERR_LIMIT more lines than any program has; ERR_MEMORY.
 * Compiler-generated code is shown under its user method, with that method's name, type and
 * signature. Methods without a line are not listed; one that was refused or excluded leaves an
 * omission. An assembly without symbols is a package without classes, with its methods in the
 * totals. Facts and options must outlive an outline. */
#ifndef ILCOV_COVERAGE_REPORT_REPORT_BUILD_H
#define ILCOV_COVERAGE_REPORT_REPORT_BUILD_H

#include "coverage/report/report.h"

NODISCARD bool report_build(struct report *out, const struct facts *facts,
                            const struct report_options *options, struct arena *arena,
                            struct err *err);

/* The source root that a report on these facts has. */
struct str report_root(const struct facts *facts, const struct report_options *options);

/* One of several countings of the same code: the modules of all views are the same. */
struct report_view {
    const struct facts *facts;
    bool real_only; /* in place of that of the options */
};

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

#endif

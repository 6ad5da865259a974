/* report_build.h - builds a report from facts, by the definitions in docs/definitions.md: the only
 * place that computes a line's hits and a method's complexity; lines.h has the rules.
 * Owner:  everything lives in the arena; names are views into the facts.
 * Errors: ERR_LIMIT more lines than any program has; ERR_MEMORY.
 * Compiler-generated code is shown under its user method, with that method's name, type and
 * signature. Methods without a line are not listed; one that was declined or excluded leaves an
 * omission. An assembly without symbols is a package without classes, with its methods in the
 * totals. Facts and options must outlive the report. */
#pragma once

#include "coverage/report/report.h"

NODISCARD bool report_build(struct report *out, const struct facts *facts,
                            const struct report_options *options, struct arena *arena,
                            struct err *err);

/* Who wants to see other views of the same facts while the report is built from one of them. `take`
 * gets some files at a time, by package and path, with one package for each view: its classes and
 * totals are those of these files, and the same class, method, line and condition has the same
 * index in all of them. A package without lines is taken once. It does not name its modules. What
 * is passed is gone when `take` returns, but for names, which are views into the facts. */
struct report_watch {
    const struct report_view *views;
    uint32_t view_count, shown; /* which is the report's */
    bool (*take)(void *context, const struct report_package *packages);
    void *context;
};

/* The same, of facts to which external_apply was done, as to those of all views. False, with `err`
 * set, also if `take` fails. */
NODISCARD bool report_build_watched(struct report *out, const struct facts *facts,
                                    const struct report_options *options,
                                    const struct report_watch *watch, struct arena *arena,
                                    struct err *err);

/* The source root that a report on these facts has. */
struct str report_root(const struct facts *facts, const struct report_options *options);

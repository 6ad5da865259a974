/* lines.h - the statements and decisions of one package made into lines: "Line" and "Branch" of
 * docs/definitions.md, in code. Names play no part here: an owner is the number of a
 * user method, and files, owners and types are numbered in the order in which a report shows them.
 *
 * Hits:    in one module, a line is of the methods with a statement that starts or ends on it; hits
 *          is the largest count of these. If there is none, it is of the innermost statement that
 *          spans it: fewest lines, then the latest start, then the earliest end. A method has its
 *          own hits on the line, the class the largest of its methods.
 * Builds:  modules of one package are builds of one assembly (target frameworks). What has the same
 *          code in them was folded before (fold_builds.h); of the rest hits are added up, and so
 *          are the outcomes of a line's conditions where all of these are alike; where one is not,
 *          which is which cannot be told, and those of the build with more outcomes stand.
 * Classes: a line is in one class only: the one whose statement there starts first and, of these,
 *          ends last. It has the hits and conditions of all that is on the line, of whatever type.
 * Copies:  code that the compiler puts into several constructors (copies.h), has the runs of all of
 *          them in the class, and in each constructor its own; its conditions once. */
#ifndef ILCOV_COVERAGE_REPORT_LINES_H
#define ILCOV_COVERAGE_REPORT_LINES_H

#include "coverage/report/report.h"

struct lines_module {
    const struct fact_module *module;
    const uint64_t *counts;   /* over all runs */
    const uint32_t *owner_of; /* of each method, NO_INDEX: left out */
    const uint32_t *file_of;  /* of each document, likewise */
};

struct owned_line {
    uint32_t type, file, owner;
    struct report_line line;
};

struct package_lines {
    struct owned_line *of_methods; /* ascending type, file, owner, line */
    uint32_t of_methods_count;
    struct owned_line *of_classes; /* ascending type, file, line; `owner` says nothing */
    uint32_t of_classes_count;
};

/* `out` and what it leads to point into `counts`, `arena` and, the two lists themselves, `scratch`.
 * ERR_LIMIT: statements span more lines than any program has. */
NODISCARD bool lines_build(struct package_lines *out, const struct lines_module *modules,
                           uint32_t module_count, const uint32_t *type_of_owner,
                           struct arena *arena, struct arena *scratch, struct err *err);

#endif

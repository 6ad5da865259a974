/* lines.h - the statements and decisions of one package made into lines: "Line" and "Branch" of
 * docs/definitions.md, in code. Names are not used here: an owner is the number of a user method,
 * and files, owners and types are numbered in the order in which a report shows them.
 *
 * Hits:    in one module, a line belongs to the methods with a statement that starts or ends on it;
 *          hits is the largest count of these statements. If there is none, the line belongs to the
 *          innermost statement that has text on it: fewest lines, then the latest start, then the
 *          earliest end. A method has its own hits on the line; the class has the largest of its
 *          methods.
 * Builds:  modules of one package are builds of one assembly (target frameworks). Methods with the
 *          same code were folded before (fold_builds.h). For the others, hits are added up. The
 *          outcomes of a line's conditions are added up if all conditions are alike; otherwise they
 *          cannot be matched, and the build with more outcomes wins.
 * Classes: a line is in one class only: the one whose statement there starts first and, of these,
 *          ends last. It has the hits and conditions of everything on the line, whatever the type.
 * Why:     a line that did not run has the why of its statement that starts first (why.h).
 * Copies:  code that the compiler puts into several constructors (copies.h) counts the runs of all
 *          of them in the class, and its own in each constructor; its conditions count once.
 * Parts:   missed_text.h says which text on a line that ran did not; a class has it. */
#ifndef ILCOV_COVERAGE_REPORT_LINES_H
#define ILCOV_COVERAGE_REPORT_LINES_H

#include "coverage/report/lines_module.h"
#include "coverage/report/report.h"

struct owned_line {
    uint32_t type, file, owner;
    struct report_line line;
};

struct package_lines {
    struct owned_line *of_methods; /* ascending type, file, owner, line */
    uint32_t of_methods_count;
    struct owned_line *of_classes; /* ascending type, file, line; `owner` is not used */
    uint32_t of_classes_count;
};

/* `out` points into `counts` and `arena`; the two lists themselves are in `scratch`.
 * ERR_LIMIT: statements span more lines than any program has. */
NODISCARD bool lines_build(struct package_lines *out, const struct lines_module *modules,
                           uint32_t module_count, const uint32_t *type_of_owner,
                           struct arena *arena, struct arena *scratch, struct err *err);

#endif

/* lines.h - the statements and decisions of one package made into lines: "Line" and "Branch" of
 * docs/definitions.md, in code. Names are not used here: an owner is the number of a user method,
 * and files, owners and types are numbered in the order in which a report shows them.
 *
 * Hits:    in one module, a line belongs to the methods with a statement that makes it up
 *          (line_rank.h); hits is the largest count of these statements. A method has its own hits
 *          on the line; the class has the largest of its methods.
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
#pragma once

#include "base/number.h"
#include "coverage/report/lines_module.h"

/* Lines of one owner that follow each other in a list: `count` from `first` on. */
struct owner_lines {
    uint32_t type, file, owner; /* owner: NO_INDEX of a class */
    uint32_t first, count;
};

static inline int owner_lines_order(const struct owner_lines *a, const struct owner_lines *b)
{
    int order = number_order(a->type, b->type);
    if (order == 0)
        order = number_order(a->file, b->file);
    return order != 0 ? order : number_order(a->owner, b->owner);
}

struct owned_list {
    struct list lines; /* struct report_line: ascending file, line */
    struct list runs;  /* struct owner_lines */
};

struct package_lines {
    struct owned_list of_methods, of_classes;
};

/* Of what the modules, one for each part, want. `out` points into their counts and the slice of the
 * building; the lists themselves are in its slice_scratch.
 * ERR_LIMIT: statements span more lines than any program has. */
NODISCARD bool lines_build(struct package_lines *out, const struct package_parts *package,
                           struct lines_module *modules, struct building *b);

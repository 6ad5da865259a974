/* lines_work.h - what the files share that make lines (lines.h): the builds of a package, what is
 * found in them on the way, and the memory for it.
 * Owner:  lines live in `arena`; `scratch` is gone when they are made. */
#ifndef ILCOV_COVERAGE_REPORT_LINES_WORK_H
#define ILCOV_COVERAGE_REPORT_LINES_WORK_H

#include "base/number.h"
#include "coverage/report/lines_module.h"
#include "coverage/report/why.h"

/* One line of one user method in one module. */
struct line_entry {
    uint32_t file, line, owner, module;
    uint64_t hits;
    uint64_t class_hits; /* including those of copies in other methods */
    const struct fact_statement
        *first; /* of the statements that make up the line, the one that starts first */
    struct report_condition *conditions;
    uint32_t condition_count;
};

/* Which tests ran a line, as one module says. */
struct told_line {
    uint32_t file, line;
    const struct line_tests *tests;
};

struct lines_work {
    const struct lines_module *modules;
    uint32_t module_count;
    const uint32_t *type_of_owner;
    struct list *pieces; /* struct text_piece: of the lines on which not all may have run */
    struct list *told;   /* struct told_line: of the lines that tests ran */
    struct line_tests_maker *tests;
    struct why_finder *whys; /* per module */
    struct arena *arena, *scratch;
    struct err *err;
};

/* Where a statement starts. Of two that start together, the longer is the outer one and comes
 * first. */
static inline int statement_place_order(const struct fact_statement *a,
                                        const struct fact_statement *b)
{
    int order = number_order(a->start_line, b->start_line);
    if (order == 0)
        order = number_order(a->start_column, b->start_column);
    if (order == 0)
        order = number_order(b->end_line, a->end_line);
    return order != 0 ? order : number_order(b->end_column, a->end_column);
}

/* Lines of several owners: by file, then line. */
static inline int line_order(uint32_t file_a, uint32_t line_a, uint32_t owner_a, uint32_t file_b,
                             uint32_t line_b, uint32_t owner_b)
{
    int order = number_order(file_a, file_b);
    if (order == 0)
        order = number_order(line_a, line_b);
    return order != 0 ? order : number_order(owner_a, owner_b);
}

#endif

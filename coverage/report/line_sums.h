/* line_sums.h - conditions of one line are added up: those of the same method in several builds,
 * those of several methods on a line of their class, and those of a file that several assemblies
 * have compiled. lines.h has the rules. */
#pragma once

#include "base/number.h"
#include "coverage/report/report.h"

/* The line of the class, while its owners are added one by one. */
struct class_line {
    struct report_line line;
    uint32_t room; /* for its conditions; 0: they are those of its first owner */
    /* the statement of the owner that came last with conditions */
    const struct fact_statement *last;
    uint32_t last_start; /* and where that starts */
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

/* Replaces `*into` by a list in the arena, of its sums with `from`. */
NODISCARD bool condition_add_hits(const uint64_t **into, const uint64_t *from, uint32_t count,
                                  struct arena *arena, struct err *err);
uint32_t condition_count_covered(const uint64_t *hits, uint32_t count);

/* Adds the conditions of the same line of the same code in another build: outcome by outcome, or,
 * if they are not alike, those with more outcomes stay. `conditions` may then become the line's. */
NODISCARD bool line_sums_add(struct report_line *line, struct report_condition *conditions,
                             uint32_t count, struct arena *arena, struct err *err);

/* Adds the conditions of a method's line, of which `statement` starts first. */
NODISCARD bool class_line_add(struct class_line *class, const struct report_line *line,
                              const struct fact_statement *statement, struct arena *arena,
                              struct err *err);

/* Fills in how many outcomes the conditions of the line have, and how many were taken. */
void line_sums_count(struct report_line *line);

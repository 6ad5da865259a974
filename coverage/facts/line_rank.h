/* line_rank.h - which of the statements that have text on a line make it up: those of the lowest
 * rank. That is 0 for those that start or end there, or have a condition that begins there; else
 * the line is the innermost one's: fewest lines, then the latest start, then the earliest end.
 * Owner:  the list lives in the arena. */
#pragma once

#include "coverage/facts/facts.h"

/* Lines of a module on which conditions begin, below the first ones of their statements. */
struct condition_lines {
    struct condition_line *items; /* ascending */
    uint32_t count;
};

NODISCARD bool condition_lines_find(struct condition_lines *out, const struct fact_module *module,
                                    struct arena *arena, struct err *err);

uint64_t line_rank(const struct condition_lines *conditions, const struct fact_statement *statement,
                   uint32_t line);

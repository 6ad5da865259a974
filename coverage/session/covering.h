/* covering.h - which tests hit some code: lines of a file, or a method.
 * Units:  a line counts as hit by a test if one of the statements is that make up the line
 *         (line_rank.h): those from which its hits come in a report.
 * Owner:  the arena. Errors: ERR_MEMORY, ERR_LIMIT more lines than any program has. */
#pragma once

#include "coverage/facts/facts.h"

/* Count indexes, by module. */
struct wanted_code {
    const struct facts *facts;
    bool **counts;       /* of each module; NULL: nothing of it */
    uint32_t statements; /* that were found */
    struct arena *arena;
};

NODISCARD bool wanted_code_open(struct wanted_code *out, const struct facts *facts,
                                struct arena *arena, struct err *err);
/* The statements of a source, by its path below the root, that make up one of the lines. */
NODISCARD bool wanted_code_add_lines(struct wanted_code *wanted, struct str relative,
                                     uint32_t first, uint32_t last, struct err *err);
/* Those of methods with this name, or whose name ends with it after a dot: "Order.Add", "N.C.M",
 * "C.M(int)"; also of what compilers made of them. */
NODISCARD bool wanted_code_add_methods(struct wanted_code *wanted, struct str name,
                                       struct err *err);

/* By module and method: is its user method named so? `any`: is one at all? */
NODISCARD bool covering_named(bool ***out, bool *any, const struct facts *facts, struct str name,
                              struct arena *arena, struct err *err);

/* By index of test: does it hit any of that? */
NODISCARD bool covering_tests(bool **tests, const struct wanted_code *wanted, struct err *err);

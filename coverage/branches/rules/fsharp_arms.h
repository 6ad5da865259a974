/* fsharp_arms.h - arms of `if` and `match` that only make a function: `if up then fun x -> x + 1
 * else fun x -> x - 1`. The F# compiler gives such an arm a hidden point; its text is in the
 * function, which is a method of a type of its own. Without any text the `if` looks like inlined
 * code (fsharp_inlined.h), and arms that join look like one. So the arm borrows the text of the
 * function. Only if every way out of the test leads to text or to a function: inlined code, such as
 * Option.defaultWith, passes something else on by another way. Functions that were inlined
 * themselves have no text, and those within the statement of the test are its arguments.
 * `function` has no statement; if all its rules make functions, its branches are on the first one.
 * Pure:   used by board.c.
 * Owner:  arrays live in the arena. */
#ifndef ILCOV_COVERAGE_BRANCHES_RULES_FSHARP_ARMS_H
#define ILCOV_COVERAGE_BRANCHES_RULES_FSHARP_ARMS_H

#include "coverage/statements/statements.h"

struct fsharp_arms {
    struct seq_points points; /* those of the method; hidden ones of such arms are visible */
    bool *borrowed;           /* per point: it is one of these; NULL if there are none */
};

/* In other languages than F#, and without symbols, the points stay as they are. */
NODISCARD bool fsharp_arms_find(struct fsharp_arms *out, const struct statements_source *source,
                                struct arena *arena, struct err *err);

#endif

/* guard.h - guards of the arms of a switch: `case T t when c`, `p when c =>`. An arm is taken if
 * its guard holds; otherwise the dispatch continues after it, or another arm is taken. In the
 * symbols a guard is a statement of its own, and nothing marks it as a guard. The source of C# says
 * what is one. Without it, and in F#, a guard is recognised by where it leads: back to the
 * dispatch, or to an arm. The body of an arm leads to neither, except by `goto case`. In F# control
 * may reach a rule only where a guard fails; such a guard is recognised by its place in the text.
 * Pure:   branches in. */
#pragma once

#include "coverage/branches/branches.h"

/* Is the block part of the dispatch that `leader` leads? */
bool guard_is_member(struct branches *branches, uint32_t leader, uint32_t n);

/* Are both blocks in the same `try` blocks? A `try` in an arm begins other statements. */
bool guard_shares_try(const struct flow *flow, uint32_t a, uint32_t b);

/* What the source of C# or F# says of a visible point. */
enum guard_reading {
    READS_UNKNOWN,
    READS_GUARD,
    READS_FIRST_GUARD, /* a statement leads to it, not a test: nothing is asked before it */
    READS_SWITCH,      /* the head of a `switch` statement */
    READS_PATTERN,     /* F#: the argument of an active pattern, as 3 in `| Times 3 x -> ...` */
    READS_OTHER
};
enum guard_reading guard_read(const struct branches *branches, uint32_t point);

/* Does a way out of that dispatch come out at a guard? */
bool guard_is(struct branches *branches, uint32_t leader, struct way_out way);

/* The block in which a point begins. */
uint32_t guard_block(const struct branches *branches, uint32_t point);

/* Does the way out of an operand of a guard reach the test of the guard's value? */
bool guard_is_value(const struct branches *branches, struct way_out way);

/* Is it a guard of F# by its place in the text, between a rule and the body of the rule? `match` is
 * the point of `match e with`. */
bool guard_reads_as_one(const struct branches *branches, uint32_t match, struct way_out way);

/* The tests of a guard are among the blocks [first, end): the block where its point begins and the
 * following ones that have the same point; or the block that its value reaches. */
struct guard_row {
    uint32_t first, end;
    uint32_t point; /* NO_INDEX: it is that block */
};
struct guard_row guard_row(const struct branches *branches, struct way_out way);

/* Is there such a test at the end of block `n` of the row? A `switch` expression in the guard, and
 * whether an await has completed, are none. */
bool guard_row_tests(const struct branches *branches, const struct guard_row *row, uint32_t n);

/* Does a way out of such a test leave the guard? */
bool guard_row_leaves(const struct branches *branches, const struct guard_row *row,
                      struct way_out way);

/* il_idioms.h - code that compilers write, told from flow graph and metadata alone: awaits,
 * helpers that throw, appends to an interpolated string; and what a branch tests. Pure. Used by
 * point_map.c, to know which statement holds, and by rules. */
#ifndef ILCOV_COVERAGE_STATEMENTS_IL_IDIOMS_H
#define ILCOV_COVERAGE_STATEMENTS_IL_IDIOMS_H

#include "rewriter/flow.h"

/* The instruction that loads what the branch at the end of a block tests; IL_NO_INDEX when it is
 * computed of more. */
uint32_t idiom_tested_load(const struct flow *flow, uint32_t block);

/* Does the instruction leave the truth of the value on top as it is, or turn it round? */
bool idiom_of_one_value(const struct instr *instr);

/* Is it the field that says where a state machine was left? */
bool idiom_state_field(struct str field);

/* Is it where an async or iterator method keeps across a suspension what has no name? Values of
 * the user are there, too. */
bool idiom_spilled_value(struct str field);

/* Where control goes on from block `n` without a suspension, when that asks whether an await has
 * completed; NO_BLOCK when it does not. */
uint32_t idiom_await_goes_on(const struct flow *flow, uint32_t n);

/* Is the instruction the first behind an await? Between the hidden point at the test of IsCompleted
 * and GetResult all is the compiler's; behind it the statement goes on, with no point to say so. */
bool idiom_await_ends(const struct flow *flow, uint32_t instr);

/* Does the block only throw what nobody wrote a `throw new` for: no arm of a switch expression
 * matched; an exception that was kept while a finally awaited goes on? */
bool idiom_throw(const struct flow *flow, uint32_t n);

/* Does the instruction append to an interpolated string? Some handlers say then whether they want
 * more. */
bool idiom_append(const struct flow *flow, uint32_t instr);

/* The name of the type that a member of another assembly is of; empty for any other member. */
struct str idiom_foreign_type(const struct metadata *md, uint32_t token);

#endif

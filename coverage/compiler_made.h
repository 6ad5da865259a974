/* compiler_made.h - what compilers put into a method that nobody wrote: the dispatch of state
 * machines, awaits, cached delegates, checks before Dispose, helpers that throw. Told by the names
 * of fields and methods, which no source can spell, and by what the code does.
 * Pure: flow graph and metadata in. Used by judge.c. */
#ifndef ILCOV_COVERAGE_COMPILER_MADE_H
#define ILCOV_COVERAGE_COMPILER_MADE_H

#include "coverage/cover.h"

/* Does the branch at the end of block `n` test what only the compiler knows of? `visible`: a
 * visible point covers it, which speaks for the user where a field may be of either. */
bool made_test(const struct cover *cover, uint32_t n, bool is_state_machine, bool visible);

/* The check for null before Dispose at the end of a `using` or `foreach`. */
bool made_dispose_check(const struct cover *cover, uint32_t n);

/* The check for null and length 0 in `fixed`. */
bool made_pin_check(const struct flow *flow, uint32_t n);

/* Does the block only throw what nobody wrote a `throw new` for: no arm of a switch expression
 * matched; an exception that was kept while a finally awaited goes on? */
bool made_throw(const struct flow *flow, uint32_t n);

/* Where control goes on from block `n` without a suspension, when that asks whether an await has
 * completed; NO_BLOCK when it does not. */
uint32_t made_await_goes_on(const struct flow *flow, uint32_t n);

/* Is the instruction the first behind an await? Between the hidden point at the test of IsCompleted
 * and GetResult all is the compiler's; behind it the statement goes on, with no point to say so. */
bool made_await_ends(const struct flow *flow, uint32_t instr);

/* Does the instruction leave the truth of the value on top as it is, or turn it round? */
bool made_of_one_value(const struct instr *instr);

#endif

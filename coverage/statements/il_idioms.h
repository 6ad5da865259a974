/* il_idioms.h - code that compilers write, recognised from flow graph and metadata alone: awaits,
 * helpers that throw, appends to an interpolated string; and what a branch tests.
 * Pure:   flow graph and metadata in. */
#pragma once

#include "rewriter/flow.h"

/* The name of the field or method that the instruction names. */
struct str idiom_member(const struct flow *flow, const struct instr *instr);

/* Of a branch that tests a bool: where control goes if that is `value`. */
uint32_t idiom_way_if(const struct flow *flow, uint32_t n, bool value);

/* Is a constant 0 or 1 the last thing that the block makes? */
bool idiom_ends_with_constant(int32_t *value, const struct flow *flow, uint32_t n);

/* Past blocks that are only split because something in them may throw: the block with the branch
 * that comes next, or that ends otherwise. */
uint32_t idiom_branch_after(const struct flow *flow, uint32_t n);
/* The condition that alone leads to block `n`, past such blocks; else NO_INDEX. */
uint32_t idiom_condition_before(const struct flow *flow, uint32_t n);

/* The nearest block above that leads to block `n`, or NO_INDEX. The dispatch of a state machine,
 * which comes first, is the farthest. */
uint32_t idiom_block_above(const struct flow *flow, uint32_t n);

/* The instruction that loads what the branch at the end of a block tests; NO_INDEX if it is
 * computed from several values. */
uint32_t idiom_tested_load(const struct flow *flow, uint32_t block);

/* Does the instruction keep the truth of the value on top of the stack, or negate it? */
bool idiom_of_one_value(const struct instr *instr);

/* Does the branch at the end of the block ask for that state, or for a copy of it that was taken
 * where the method begins? */
bool idiom_tests_state(const struct flow *flow, uint32_t n);

/* Is it a field where an async or iterator method keeps a value without a name across a suspension?
 * Some of these are the user's values. */
bool idiom_spilled_value(struct str field);

/* Is it such a field, or the one that keeps `this` of the method that a closure or state machine
 * was made of? */
bool idiom_value_of_user(struct str field);

/* Does the instruction ask an awaiter whether it is completed? The answer of one that is `dynamic`
 * is converted by another call site. */
bool idiom_asks_completed(const struct flow *flow, uint32_t instr);

/* If block `n` asks whether an await has completed: where control continues without a suspension;
 * NO_INDEX if it does not ask. */
uint32_t idiom_await_continues(const struct flow *flow, uint32_t n);

/* If block `n` asks whether an async iterator was disposed while it was suspended at a `yield
 * return`: where control continues if not; else NO_INDEX. */
uint32_t idiom_undisposed_continues(const struct flow *flow, uint32_t n);

/* Does the block end an async iterator? `yield break` says that it is disposed, and goes on only
 * through `finally` blocks. */
bool idiom_yield_breaks(const struct flow *flow, uint32_t n);

/* Is the instruction the first after an await? All code between the hidden point at the test of
 * IsCompleted and GetResult is the compiler's. After it the statement continues, although no point
 * says so. */
bool idiom_await_ends(const struct flow *flow, uint32_t instr);

/* Does the block only throw an exception for which no `throw new` was written: no arm of a switch
 * expression matched, or an exception that was kept during an await in a finally is rethrown? */
bool idiom_throw(const struct flow *flow, uint32_t n);

/* Does the instruction append to an interpolated string? Some handlers then say whether they want
 * more. */
bool idiom_append(const struct flow *flow, uint32_t instr);

/* Does the instruction call a method of this name, not as a virtual one? Methods of Nullable<T> are
 * called so. */
bool idiom_calls(const struct flow *flow, const struct instr *instr, const char *name);

/* Does the instruction load a string of this text? It is ASCII. */
bool idiom_loads_string(const struct flow *flow, const struct instr *instr, struct str text);

/* An operation on `dynamic` is code that invokes a call site, which a binder made.
 *     ldsfld <>p__0; brtrue U; ...; ldstr "Name"; ...; call Binder::GetMember; call Create;
 *     stsfld <>p__0; U: ldsfld <>p__0; ldfld Target; ldsfld <>p__0; (operands); callvirt Invoke
 * Source: Roslyn, LoweredDynamicOperationFactory. */

/* Is the field the one that keeps a call site? */
bool call_site_field(struct str field);

/* Does the instruction invoke a call site that this method of Binder made, for a member of this
 * name if `member` is not empty? Only where its operands are loaded without a call. */
bool call_site_invoked(const struct flow *flow, uint32_t instr, struct str maker,
                       struct str member);

/* If block `n` asks whether a call site has been made: where control continues with the call site;
 * NO_INDEX if it does not ask. */
uint32_t call_site_continues(const struct flow *flow, uint32_t n);

/* The name of the type that declares a member of another assembly; empty for any other member. */
struct str idiom_external_type(const struct metadata *md, uint32_t token);

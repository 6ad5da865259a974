/* stack.h - the evaluation stack, simulated one instruction at a time: how deep it is, which
 * instruction made each slot, and which references cannot be null: `this`, fresh objects, and what
 * was used or tested before.
 * Source: ECMA-335 III.1.7.
 * Owner:  arrays live in the arena. */
#pragma once

#include "metadata/sig.h"
#include "rewriter/il.h"

/* II.23.1.11 and MethodImplOptions */
enum {
    IMPL_AGGRESSIVE_OPTIMIZATION = 0x200,
    IMPL_ASYNC = 0x2000
};

/* Which methods of a module certainly return (nothrow.h). */
struct nothrow {
    uint8_t *rows; /* enum nothrow_row of each row of the MethodDef table, 1 first: [rid - 1] */
    uint32_t count;
};

enum nothrow_row {
    NOTHROW_NOT,
    NOTHROW_UNDECIDED, /* while they are sought */
    NOTHROW_BY_CALL,   /* virtual: by its token, but not through an object's type */
    NOTHROW_ALWAYS,
};

/* Is the instruction a call or newobj of a nothrow method? `nothrow` may be NULL; `md` is that of
 * any load of the module. */
bool nothrow_call(const struct nothrow *nothrow, const struct metadata *md,
                  const struct instr *instr);

/* What a method's own signature and locals say; the same for all its instructions. */
struct stack_context {
    const struct metadata *md;
    const struct nothrow *nothrow; /* methods that cannot throw; NULL: none is known */
    const struct il *il;
    uint32_t method_rid;
    uint32_t impl_flags;
    struct method_sig sig;
    /* argument 0 is `this`, which is never stored to and whose address is never taken */
    bool this_is_safe;
    uint32_t local_count;
    struct view local_types;
    uint32_t *local_starts; /* of each type in local_types; NULL if there are few */
    /* Variables whose value is known as long as nothing stores to them: all but those whose address
     * is taken. */
    uint64_t tracked;
};

enum {
    MAKER_UNKNOWN = -1,
    /* Variables have numbers: locals from 0, arguments from VARIABLE_ARGUMENTS. Others are not
     * tracked. */
    VARIABLE_ARGUMENTS = 32,
    VARIABLES_MAX = 64,
    NO_VARIABLE = 0xFF,
};

/* What a bool says about a variable: that it is null, or that it is not. */
struct null_test {
    uint8_t variable; /* or NO_VARIABLE */
    bool is_null;     /* when the bool is true */
};

struct stack_slot {
    int32_t maker;    /* index of the instruction that pushed it, or MAKER_UNKNOWN */
    uint8_t variable; /* whose value it still is, or NO_VARIABLE */
    bool not_null;
    struct null_test test; /* if it is a bool */
};

struct stack {
    struct stack_slot *slots;
    uint32_t depth, room;
    uint64_t not_null; /* the variables that are not, 1 << number */
    /* Debug code keeps the outcome of a test in a local before it branches: the last such local,
     * or NO_VARIABLE, and what it says. */
    uint8_t holder;
    struct null_test held;
};

NODISCARD enum verdict stack_context_init(struct stack_context *out, const struct metadata *md,
                                          const struct nothrow *nothrow, const struct il *il,
                                          const struct il_body *body, uint32_t method_rid,
                                          struct arena *arena);
NODISCARD bool stack_init(struct stack *out, uint32_t max_stack, struct arena *arena);

/* Begins a block: the stack has `depth` slots of unknown makers, and the variables in `not_null`
 * are not null. False when the depth exceeds the header's max stack. */
bool stack_enter(struct stack *stack, uint32_t depth, uint64_t not_null);

/* Executes instruction `index`. *throws says whether it may throw here. VERDICT_OK,
 * DECLINED_STACK, DECLINED_SIGNATURE. */
enum verdict stack_step(struct stack *stack, bool *throws, const struct stack_context *context,
                        uint32_t index);

/* The maker of the topmost slot, or MAKER_UNKNOWN. */
int32_t stack_top_maker(const struct stack *stack);

/* The variables that are not null if the topmost slot is true, or false. */
uint64_t stack_not_null_if(const struct stack *stack, bool is_true);

/* Is the topmost slot certainly a computed bool, not a constant? */
bool stack_top_is_bool(const struct stack *stack, const struct stack_context *context);

/* A type signature, not cut off at its end; empty if there is no such local or argument, and for
 * `this`, which has none. */
struct view stack_local_type(const struct stack_context *context, uint32_t local);
struct view stack_argument_type(const struct stack_context *context, uint32_t argument);

/* Does the instruction call the method that contains it? */
bool stack_calls_itself(const struct stack_context *context, uint32_t index);

/* stack.h - the evaluation stack, simulated one instruction at a time: how deep it is, and which
 * instruction made each slot. The maker shows what a slot cannot be: null, or anything but a
 * bool.
 * Source: ECMA-335 III.1.7.
 * Owner:  arrays live in the arena. */
#ifndef ILCOV_REWRITER_STACK_H
#define ILCOV_REWRITER_STACK_H

#include "metadata/sig.h"
#include "rewriter/il.h"

/* II.23.1.11 and MethodImplOptions */
enum {
    IMPL_AGGRESSIVE_OPTIMIZATION = 0x200,
    IMPL_ASYNC = 0x2000
};

/* What a method's own signature and locals say; the same for all its instructions. */
struct stack_context {
    const struct metadata *md;
    const struct il *il;
    uint32_t method_rid;
    uint32_t impl_flags;
    struct method_sig sig;
    /* argument 0 is `this`, which is never stored to and whose address is never taken */
    bool this_is_safe;
    uint32_t local_count;
    struct view local_types;
};

enum {
    MAKER_UNKNOWN = -1
};

struct stack {
    int32_t *maker; /* of each slot: index of the instruction that pushed it, or MAKER_UNKNOWN */
    uint32_t depth, room;
};

NODISCARD enum verdict stack_context_init(struct stack_context *out, const struct metadata *md,
                                          const struct il *il, const struct il_body *body,
                                          uint32_t method_rid);
NODISCARD bool stack_init(struct stack *out, uint32_t max_stack, struct arena *arena);

/* Forgets the makers; the depth at the start of a block is `depth`. False when it exceeds the
 * header's max stack. */
bool stack_enter(struct stack *stack, uint32_t depth);

/* Executes instruction `index`. *throws says whether it may throw here. VERDICT_OK,
 * REFUSED_STACK, REFUSED_SIGNATURE. */
enum verdict stack_step(struct stack *stack, bool *throws, const struct stack_context *context,
                        uint32_t index);

/* Is the topmost slot certainly a computed bool, not a constant? */
bool stack_top_is_bool(const struct stack *stack, const struct stack_context *context);

/* A type signature, not cut off at its end; empty if there is no such local or argument, and for
 * `this`, which has none. */
struct view stack_local_type(const struct stack_context *context, uint32_t local);
struct view stack_argument_type(const struct stack_context *context, uint32_t argument);

/* Does the instruction call the method that contains it? */
bool stack_calls_itself(const struct stack_context *context, uint32_t index);

#endif
